import { describe, expect, it } from 'vitest'
import { ModelNetwork } from '../../test/support/model-network.ts'
import { order, program, wallet, withoutNonces } from '../../test/support/payment-program.ts'

describe('a journal that is empty, and an account', () => {
  it('with a history longer than the search is not sure, and says so', async () => {
    const network = new ModelNetwork()
    network.mine()
    network.receive(wallet.address, 3_100)
    network.mine()
    const { pay } = await program(network, { wallet: withoutNonces })
    await expect(pay(order(1))).rejects.toMatchObject({
      code: 'JOURNAL_BEHIND',
      facts: { transactions: 0, newest: null },
      message: expect.stringContaining('It is not known'),
    })
    // What a wallet derives needs no search.
    const own = await program(network)
    expect(await own.settled(await own.pay(order(1)))).toMatchObject({ status: 'confirmed' })
  })
})

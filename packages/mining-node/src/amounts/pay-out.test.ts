import { ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { ModelNetwork } from '../../../client/test/support/model-network.ts'
import { BLOCK_MS, program, receiver, wallet } from '../../../client/test/support/payment-program.ts'
import type { MiningSnapshot } from '../store/mining-snapshot.ts'
import { payOut, payoutReadings } from './pay-out.ts'

const known = {
  height: { value: 5, isStale: false },
  balance: { amount: 150n, isStale: false, isKnown: true, decimals: 10 },
  stakes: { token: { minimumStake: 25n }, isStale: false },
  api: { status: 'reachable', why: '' },
  warnings: [],
}
const readings = (change: object) => payoutReadings({ ...known, ...change } as unknown as MiningSnapshot)

describe('what a miner knows when a payout is decided', () => {
  it('is its balance, the stake and a chain that stands', () => {
    expect(readings({})).toEqual({
      ...{ isChainProved: true, balance: { amount: 150n, isStale: false }, minimumStake: 25n },
    })
  })

  it.each([
    ['no height', { height: null }],
    ['a height that could not be read lately', { height: { ...known.height, isStale: true } }],
    ['an API that cannot be reached', { api: { status: 'unreachable', why: '' } }],
    ['an API that was not asked yet', { api: { status: 'unknown', why: '' } }],
    ['an API that is behind the gateway', { warnings: [{ code: 'API_BEHIND', message: '' }] }],
  ])('proves no chain: %s', (_, change) => {
    expect(readings(change)).toMatchObject({ isChainProved: false })
  })

  it.each([
    ['none read', { stakes: null }],
    ['one not read lately', { stakes: { ...known.stakes, isStale: true } }],
    ['an unknown token', { stakes: { token: null, isStale: false } }],
  ])('names no stake: %s', (_, change) => {
    expect(readings(change)).toMatchObject({ minimumStake: null })
  })

  it('keeps a balance that is unknown or stale as it is', () => {
    expect(readings({ balance: null }).balance).toBe(null)
    expect(readings({ balance: { ...known.balance, isStale: true } }).balance?.isStale).toBe(true)
  })
})

describe('payOut', () => {
  const COIN = 10n ** 10n

  it('pays the amount of an earlier payment again, which the journal does not have and the person knew of', async () => {
    const network = new ModelNetwork()
    const lost = await program(network)
    const tokenId = ZERO_TOKEN_ID
    const rule = { to: receiver, tokenId, above: 40n * COIN, least: 60n * COIN, everyMs: 1_000 * BLOCK_MS }
    const payAt = async ({ client, payments, within }: typeof lost, nowMs: number) => {
      const readings = {
        isChainProved: true,
        balance: { amount: 100n * COIN, isStale: false },
        minimumStake: 0n,
      }
      const confirmed = { to: receiver, height: network.height }
      const given = { client, payments, address: wallet.address, rule, decimals: 10, confirmed, readings }
      return within(payOut({ ...given, now: () => nowMs }))
    }
    const manual = await lost.pay({ amount: 60n * COIN })
    await lost.settled(manual)
    const first = await payAt(lost, 0)
    if (first.status === 'paid') await lost.settled(first.handle)
    await lost.payments.close()
    const own = await program(network)
    // The same period is the same payment, which the chain has already; the next one is another payment.
    for (const nowMs of [0, rule.everyMs]) expect(await payAt(own, nowMs)).toMatchObject({ status: 'paid' })
    await own.blocks(6)
    expect([...network.executed().values()]).toEqual([1, 1, 1])
  })
})

import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { parseAmount } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { type Client, createClient, createMemoryJournal, createPayments, createWallet } from '../src/node.ts'

const COIN = parseAmount('1', { decimals: 10 })
const BEHIND = 3
const CONFIRMATIONS = 3
/** More than it ever takes. */
const MOST_MACROBLOCKS = 60
/** Questions that are asked between two macroblocks. */
const ASKED = 20

let network: LocalNetwork
let client: Client
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'two nodes', blockTimeMs: 3_600_000, keepAlive: true })
  client = createClient({ apiUrl: network.apiUrl })
})
afterEach(() => network.faults.clear())
afterAll(async () => {
  await client.close()
  await network.stop()
})

const allOf = async <T>(records: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const record of records) all.push(record)
  return all
}

/** Half of the answers come from a node that is behind; the script counts them all. */
const twoNodes = (seed: number): void =>
  network.faults.set({
    seed,
    rules: [
      {
        name: 'asked',
        on: 'api',
        match: { method: 'GET' },
        fault: { delay: { ms: 0 } },
      },
      {
        name: 'behind',
        on: 'api',
        match: { probability: 0.5 },
        fault: { otherNode: { blocksBehind: BEHIND } },
      },
    ],
  })
const answersOf = (name: string): number =>
  network.faults.fired().filter((fired) => fired.name === name).length

it.each([1, 2, 3].slice(0, gateSize('HAILSTONE_TWO_NODES', { change: 1, night: 3 })))(
  'a payment over two nodes behind one address is confirmed, executed once, seed %i',
  async (seed) => {
    const wallet = createWallet()
    const receiver = createWallet()
    await network.control.fund(wallet.address, 10n * COIN)
    // The node that is behind knows of the coins.
    await network.control.mine(BEHIND)
    twoNodes(seed)
    await using payments = await createPayments({
      client,
      wallet,
      journal: createMemoryJournal(),
      confirmations: CONFIRMATIONS,
      pollMs: 5,
    })
    const payment = await payments.pay({
      to: receiver.address,
      amount: COIN,
      idempotencyKey: `order ${seed}`,
    })
    let isSettled = false
    const settled = payment.settled().finally(() => {
      isSettled = true
    })
    // Each macroblock waits until both nodes were asked what became of the payment.
    for (let mined = 0; !isSettled && mined < MOST_MACROBLOCKS; mined++) {
      const asked = answersOf('asked')
      await expect.poll(() => answersOf('asked') >= asked + ASKED || isSettled).toBe(true)
      await network.control.mine()
    }
    const { state, hash } = await settled
    expect(state.status).toBe('confirmed')
    expect(answersOf('behind')).toBeGreaterThan(0)
    expect(answersOf('behind')).toBeLessThan(answersOf('asked'))

    network.faults.clear()
    // What was sent again late would be in these.
    await network.control.mine(2)
    expect(await allOf(client.transactionsOf({ address: wallet.address }))).toMatchObject([
      { hash, status: 'confirmed' },
      { status: 'confirmed' },
    ])
    expect(await allOf(client.transactionsOf({ address: receiver.address }))).toMatchObject([{ hash }])
  },
)

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { createClient, createMemoryJournal, createPayments, walletFromPrivateKey } from '@hailstone/client'
import { type Address, type PrivateKey, toAmount } from '@hailstone/protocol'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import { createMiningSession } from '../src/node.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { countEnteredModules } from './entered-modules.ts'

type Account = { readonly address: Address; readonly privateKey: PrivateKey }
type Network = {
  readonly apiUrl: string
  readonly gatewayUrl: string
  readonly accounts: { readonly developers: readonly Account[]; readonly fallbackMiner: Account }
}

let worker: Worker
let network: Network
beforeAll(async () => {
  const workerData = { seed: 'journeys', blockTimeMs: 300 }
  // Without the flags of the test runner: the network runs what is built.
  worker = new Worker(new URL('./network-worker.mjs', import.meta.url), { workerData, execArgv: [] })
  ;[network] = (await once(worker, 'message')) as [Network]
})
afterAll(async () => {
  const ended = once(worker, 'exit')
  worker.postMessage('stop')
  await ended
})

const developer = (at: number): Account => network.accounts.developers[at] as Account

/** Resolves at each call of the returned function to the next call of `call`. */
function calls() {
  let resolve: (() => void) | undefined
  return {
    call: (): void => resolve?.(),
    next: () =>
      new Promise<void>((done) => {
        resolve = done
      }),
  }
}

/** Parts that a program passes in: the socket and the clock of a session, the stores of a journal and a cursor. */
const PASSED_IN = new Set([
  'mining-node/src/session/clock.ts',
  'mining-node/src/session/socket-channel.ts',
  'client/src/payments/memory-journal.ts',
  'client/src/payments/journal-line.ts',
  'mining-node/src/cursors/cursor-store.ts',
])

/** Figures of ARCHITECTURE.md for one journey: modules of its own folder, and all of ours. */
function stated(journey: string): { readonly own: number; readonly all: number } {
  const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, own, all] = new RegExp(`^\\| ${journey} \\|.*\\| (\\d+) \\| (\\d+) \\|$`, 'm').exec(text) ?? []
  return { own: Number(own), all: Number(all) }
}

/**
 * Compares the shortest of some journeys with the figures. On a busy machine a timer of something else, a retry or
 * a ping may fall into one of them.
 */
async function judge(journey: string, folder: string, travel: () => Promise<unknown>): Promise<void> {
  const expected = stated(journey)
  let own: readonly string[] = []
  let all: readonly string[] = []
  for (
    let left = 8;
    left > 0 && (left === 8 || own.length > expected.own || all.length > expected.all);
    left--
  ) {
    const entered = await countEnteredModules()
    await travel()
    all = await entered()
    own = all.filter((module) => module.startsWith(folder) && !PASSED_IN.has(module))
  }
  expect(own.length).toBeGreaterThan(3)
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(expected.own)
  expect(all.length, all.join('\n')).toBeLessThanOrEqual(expected.all)
}

it('a beacon enters few modules on its way to a publication', async () => {
  const published = calls()
  const wallet = walletFromPrivateKey(developer(1).privateKey)
  const session = createMiningSession({
    wallet,
    gatewayUrl: network.gatewayUrl,
    onEvent: ({ type }) => type === 'published' && published.call(),
  })
  onTestFinished(() => session.stop())
  session.start()
  await published.next()
  await judge('beacon', 'mining-node/src/session/', published.next)
})

it('a payment enters few modules until it is settled', async () => {
  const client = createClient({ apiUrl: network.apiUrl })
  const wallet = walletFromPrivateKey(developer(2).privateKey)
  await using payments = await createPayments({
    client,
    wallet,
    journal: createMemoryJournal(),
    pollMs: 200,
    confirmations: 1,
  })
  const pay = async (): Promise<void> => {
    const payment = await payments.pay({ to: developer(3).address, amount: toAmount(10_000_000_000n) })
    expect((await payment.settled()).state.status).toBe('confirmed')
  }
  await pay()
  await judge('payment', 'client/src/payments/', pay)
})

it('a reward enters few modules until it is delivered and kept', async () => {
  const rewarded = calls()
  await using _watch = watchRewards({
    client: createClient({ apiUrl: network.apiUrl }),
    address: network.accounts.fallbackMiner.address,
    pollIntervalMs: 100,
    cursor: { store: createMemoryCursors(), name: 'journey' },
    onReward: rewarded.call,
  })
  await rewarded.next()
  await judge('reward', 'mining-node/src/watchers/', async () => {
    await rewarded.next()
    await rewarded.next()
  })
})

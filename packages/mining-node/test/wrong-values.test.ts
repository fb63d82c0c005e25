import { createClient, createWallet } from '@hailstone/client'
import { apiError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { type RightCall, wronglyTaken } from '../../../scripts/wrong-values.ts'
import { events, waitFor } from '../src/events/index.ts'
import { createFleet } from '../src/fleet/index.ts'
import { createMiningNode, createMiningSession } from '../src/node.ts'
import { createAccountWatch, watchBalance, watchHeight, watchRewards } from '../src/watch/index.ts'

const gatewayUrl = 'ws://127.0.0.1:9'
const wallet = createWallet()
const { address } = wallet
const nothing = (): void => undefined
const transport = {
  request: async () => {
    throw apiError('REQUEST_FAILED', { path: '/x', reason: 'nobody is there' })
  },
}
const client = createClient({ apiUrl: 'http://127.0.0.1:9/api/v1', transport })
const node = createMiningNode({ wallet, gatewayUrl })
const fleet = createFleet({ wallets: [wallet], gatewayUrl })
/** Whoever waits for an event of it gets one. */
class Eventful {
  readonly on = (_: string, listener: (given: object) => void) => {
    queueMicrotask(() => listener({}))
    return nothing
  }
}
const eventful = new Eventful()

const ofMiner = {
  wallet,
  gatewayUrl,
  gatewayUrls: [gatewayUrl],
  bootNodeUrls: [],
  requireEncryption: false,
  signingTimeoutMs: 5_000,
  dangerouslySkipLeaderCheck: false,
  requireLeaderSignature: false,
  randomness: Math.random,
  frameLimitBytes: 5_000,
}
const timing = { blockTimeMs: 15_000, pollIntervalMs: 5_000 }
const watched = { client, address, ...timing, onError: nothing }

const calls: Readonly<Record<string, RightCall>> = {
  createMiningNode: () => [
    createMiningNode,
    { ...ofMiner, ...timing, mineBelowStake: false, followReferrals: () => false },
  ],
  createMiningSession: () => [createMiningSession, { ...ofMiner, onEvent: nothing }],
  createFleet: () => [
    createFleet,
    { wallets: [wallet], gatewayUrl, ...timing, signingThreads: 1, parallelism: 1, mineBelowStake: false },
  ],
  createAccountWatch: () => [
    createAccountWatch,
    { client, address, ...timing, followReferrals: () => false },
  ],
  watchHeight: () => [watchHeight, { client, ...timing, onChange: nothing }],
  watchBalance: () => [watchBalance, { ...watched, onChange: nothing }],
  watchRewards: () => [watchRewards, { ...watched, maxAttempts: 5, onReward: nothing, onReverted: nothing }],
  subscribe: () => [node.subscribe, nothing],
  'subscribe of a fleet': () => [fleet.subscribe, nothing],
  on: () => [node.on, 'rewarded', nothing],
  once: () => [node.once, 'rewarded', nothing],
  waitFor: () => [waitFor as never, eventful, 'rewarded', { timeoutMs: 60_000, where: () => true }],
  events: () => [events as never, eventful, ['rewarded'], { limit: 5 }],
}

it('takes no wrong value in silence, and meets none with an error of the engine', async () => {
  expect(await wronglyTaken(calls)).toStrictEqual([])
})

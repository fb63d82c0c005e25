import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as clientEntry from '@hailstone/client'
import { createClient, createWallet } from '@hailstone/client'
import * as protocolEntry from '@hailstone/protocol'
import { apiError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { notListed, type RightCall, wronglyTaken } from '../../../scripts/wrong-values.ts'
import * as amountsEntry from '../src/amounts/index.ts'
import * as bridgeEntry from '../src/bridge/index.ts'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import * as eventsEntry from '../src/events/index.ts'
import { events, waitFor } from '../src/events/index.ts'
import * as fleetEntry from '../src/fleet/index.ts'
import { createFleet, watchFleetRewards } from '../src/fleet/index.ts'
import * as healthEntry from '../src/health/index.ts'
import * as leaderEntry from '../src/leader/node.ts'
import * as nodeEntry from '../src/node.ts'
import { createMiningNode, createMiningSession } from '../src/node.ts'
import * as signerEntry from '../src/signer/index.ts'
import * as watchEntry from '../src/watch/index.ts'
import {
  createAccountWatch,
  watchBalance,
  watchHeight,
  watchMissedReferrals,
  watchReferralRewards,
  watchRewards,
} from '../src/watch/index.ts'

const entries = {
  ...nodeEntry,
  ...amountsEntry,
  ...bridgeEntry,
  ...eventsEntry,
  ...fleetEntry,
  ...healthEntry,
  ...leaderEntry,
  ...signerEntry,
  ...watchEntry,
}

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
  watchReferralRewards: () => [watchReferralRewards, { ...watched, onReward: nothing }],
  watchMissedReferrals: () => [watchMissedReferrals, { client, address, ...timing, onMissed: nothing }],
  watchFleetRewards: () => [
    watchFleetRewards,
    {
      client,
      pollIntervalMs: 5_000,
      cursor: { store: createMemoryCursors(), name: 'x' },
      isOurs: () => true,
      areAccountsKnown: () => true,
      onReward: async () => undefined,
      onReverted: async () => undefined,
      onError: nothing,
    },
  ],
  createMemoryCursors: () => [createMemoryCursors],
  cursorsOfChain: () => [nodeEntry.cursorsOfChain, { store: createMemoryCursors(), client }],
  openFileCursors: () => [nodeEntry.openFileCursors, { folder: join(tmpdir(), 'never-written') }],
  watchNodeHealth: () => [healthEntry.watchNodeHealth, { node, windowMs: 5, clock: clientEntry.systemClock }],
  probeGateway: () => [healthEntry.probeGateway, gatewayUrl],
  probeBootNode: () => [healthEntry.probeBootNode, gatewayUrl, { requireEncryption: false }],
  serveHealth: () => [
    healthEntry.serveHealth,
    { health: () => ({ isReady: true }), status: () => null, metrics: () => '' },
    { port: 0, host: '127.0.0.1', access: () => ({}) },
  ],
  createBridge: () => [
    bridgeEntry.createBridge,
    {
      upstreams: [gatewayUrl],
      port: 0,
      host: '127.0.0.1',
      limits: { sessions: 5 },
      allowedOrigins: ['https://miner.example'],
      isBehindProxy: false,
    },
  ],
  decidePayout: () => [
    amountsEntry.decidePayout,
    { to: createWallet().address, tokenId: 'ab'.repeat(32), above: 5n, least: 5n, everyMs: 3_600_000 },
    {
      ...{ address, nowMs: 5, confirmed: null, isChainProved: true, minimumStake: null },
      balance: { amount: 5n, isStale: false },
      fees: { feeType: 0, feeValue: 5n, feeMinimum: 0n },
      payments: [],
    },
  ],
  subscribe: () => [node.subscribe, nothing],
  'subscribe of a fleet': () => [fleet.subscribe, nothing],
  on: () => [node.on, 'rewarded', nothing],
  once: () => [node.once, 'rewarded', nothing],
  waitFor: () => [waitFor as never, eventful, 'rewarded', { timeoutMs: 60_000, where: () => true }],
  events: () => [events as never, eventful, ['rewarded'], { limit: 5 }],
}

/** The tests of those packages call what is only passed on. */
const passedOn = [...Object.keys(clientEntry), ...Object.keys(protocolEntry)]
/** They read values that this package made, or are passed to a miner, which alone calls them. */
const unchecked = [
  'idleSnapshot',
  'readStakeFacts',
  'factsText',
  'fleetMetrics',
  'metricsText',
  'nodeMetrics',
  'verifyLeader',
  'signLater',
  'payoutReadings',
  'processMetrics',
  // What differs from the decision is not signed.
  'payoutFault',
  // decidePayout checks its rule, and pay its order.
  'payOut',
]

it('has a call for every function of every entry', () => {
  const others = Object.fromEntries([...passedOn, ...unchecked].map((name) => [name, true]))
  expect(notListed(entries, { ...calls, ...others })).toStrictEqual([])
})

it('takes no wrong value in silence, and meets none with an error of the engine', async () => {
  expect(await wronglyTaken(calls)).toStrictEqual([])
})

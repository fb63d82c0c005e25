import { hostError } from '@hailstone/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commonMistakes, notListed, type RightCall, wronglyTaken } from '../../../scripts/wrong-values.ts'
import * as entry from '../src/index.ts'

const address = `02${'ab'.repeat(32)}`
const tokenId = '0'.repeat(64)
/** Ends a wait before it begins. */
const over = AbortSignal.abort(hostError('CONTROL_REFUSED', { reason: 'it is over' }))
const change = { tokenId: 'ab'.repeat(32), amount: 5n, from: { address }, signal: over }
const nothing = (): void => undefined

let network: entry.LocalNetwork
beforeAll(async () => {
  network = await entry.startLocalNetwork({ seed: 'wrong values', blockTimeMs: 3_600_000 })
})
afterAll(() => network?.stop())

/** Every option. The mode is an unknown one and is read last, so nothing is opened. */
const options = {
  host: '127.0.0.1',
  allowHosts: [],
  allowOrigins: [],
  apiPort: 0,
  gatewayPort: 0,
  blockTimeMs: 15_000,
  seed: 'x',
  nativeTokenId: tokenId,
  dataDirectory: '/x',
  requireReplica: false,
  advertise: 'x',
  reset: false,
  keepAlive: false,
  fallbackMiner: false,
  emptyMacroblocks: false,
  mode: 'none',
  newerData: false,
  strictHail: false,
  faucetWaitMs: 5,
  pool: { maxTransactions: 5, maxPerSender: 5, maxUncoveredPerSender: 5, expiryMs: 5 },
  gateway: { feederIntervalMs: 5, watchdogMs: 5, probesFirst: false, maxMiners: 5 },
  bootNode: { port: 0, form: 'short' },
  control: false,
  validateAnswers: false,
}

const calls: Readonly<Record<string, RightCall>> = {
  startLocalNetwork: () => [entry.startLocalNetwork, options],
  mine: () => [network.control.mine, 1],
  setClock: () => [network.control.setClock, Date.now()],
  advanceClock: () => [network.control.advanceClock, 5],
  fund: () => [network.control.fund, address, 5n, tokenId],
  reorganise: () => [network.control.reorganise, 1, { keepTransactions: true }],
  revert: () => [network.control.revert, network.control.snapshot()],
  outage: () => [network.control.outage, { of: 'gateway', durationMs: 0, closeCode: 1001 }],
  mineUntil: () => [
    (given) => network.mineUntil(Promise.resolve(), { signal: over, ...Object(given) }),
    { timeoutMs: 5_000 },
  ],
  mineUntilRewarded: () => [(miner) => network.mineUntilRewarded(miner, { signal: over }), address],
  'options of mineUntilRewarded': () => [
    (given) => network.mineUntilRewarded(address as never, { signal: over, ...Object(given) }),
    { timeoutMs: 1 },
  ],
  balance: () => [network.balance, address, tokenId],
  on: () => [network.on, 'macroblockClosed', nothing],
  sendOrder: () => [
    network.sendOrder,
    { kind: 'x' },
    { from: { address: 'x', privateKey: 'x' }, signal: over },
  ],
  // None of these gets as far as waiting for a macroblock.
  create: () => [network.tokens.create, { symbol: '', supply: 5n, signal: over }],
  mint: () => [network.tokens.mint, change],
  burn: () => [network.tokens.burn, change],
  set: () => [network.faults.set, {}],
  describePopulation: () => [
    entry.describePopulation,
    { seed: 'x', startTime: 0, days: 2, macroblocksPerDay: 1, people: 40 },
  ],
  tokenOrder: () => [entry.tokenOrder, {}],
  openTlsFront: () => [entry.openTlsFront, { to: network.apiUrl, certificate: 'selfSigned' }],
  parseFaultScript: () => [entry.parseFaultScript, '{}'],
  readFaultScript: () => [entry.readFaultScript, '/there/is/none'],
}

/** Parts of the network, which the other packages of this repository put together. */
const parts = [
  'createApi',
  'createLiveStore',
  'createMempool',
  'createTextVerifier',
  'hasPassword',
  'historyPage',
  'historyPageCount',
  'learnCalculated',
  'openChainStore',
  'openTemporaryStore',
  'playPopulation',
  'postgresAddress',
  'serveSyntheticChain',
  'transactionHashesOf',
  'validatePostedTransaction',
]
const withoutParameters = ['closeNow', 'height', 'role', 'stop', 'pause', 'resume', 'snapshot', 'forgetPool']
const others = [...parts, ...withoutParameters, 'dump', 'state', 'clear', 'fired', 'script']

it('has a call for every function of the package, of a network and of its control', () => {
  const listed = { ...calls, ...Object.fromEntries(others.map((name) => [name, true])) }
  const everything = { ...entry, ...network, ...network.control, ...network.tokens, ...network.faults }
  expect(notListed(everything, listed)).toStrictEqual([])
})

it('takes no wrong value in silence, and meets none with an error of the engine', async () => {
  expect(await wronglyTaken(calls, commonMistakes)).toStrictEqual([])
})

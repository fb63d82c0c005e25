import { createClient, createWallet, type TransportRequest, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { type NodeError, sha256Hex } from '@hailstone/protocol'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'
import { createAccountWatch, createMemoryCursors, watchMissedReferrals } from '../src/watch/index.ts'
import type { MissedReferral } from '../src/watchers/watch-missed-referrals.ts'
import { manualClock } from './manual-clock.ts'
import { type ScriptedApi, scriptedApi } from './scripted-api.ts'
import { until } from './until.ts'

it('sees what an account earns elsewhere, with no key of it', async () => {
  await using network = await startLocalNetwork({ seed: 'watch', blockTimeMs: 500, fallbackMiner: false })
  const { apiUrl, gatewayUrl } = network
  const wallet = walletFromPrivateKey(String(network.accounts.developers[0]?.privateKey))
  await using client = createClient({ apiUrl })
  await using watch = createAccountWatch({ address: wallet.address, client, blockTimeMs: 500 })
  const rewarded: bigint[] = []
  watch.on('rewarded', ({ amount }) => rewarded.push(amount))
  await watch.watch()
  await until(() => watch.snapshot().stakes !== null && watch.snapshot().balance !== null, 'all is read')
  await using miner = createMiningNode({ wallet, apiUrl, gatewayUrl, blockTimeMs: 500 })
  await miner.start()
  await until(() => rewarded.length > 0, 'a reward is reported')
  const { state, balance, rewards, gateways } = watch.snapshot()
  expect(rewarded[0]).toBeGreaterThan(0n)
  expect(balance?.isStale).toBe(false)
  expect(rewards).toHaveLength(1)
  expect(state).toMatchObject({ status: 'idle' })
  expect(gateways).toEqual([])
})

it('tells an agent what it did not earn of those it invited, and why, when it is given what looks for it', async () => {
  await using network = await startLocalNetwork({ seed: 'missed', blockTimeMs: 500, fallbackMiner: false })
  const { apiUrl, gatewayUrl } = network
  const wallet = walletFromPrivateKey(String(network.accounts.developers[0]?.privateKey))
  const { address } = createWallet()
  await using client = createClient({ apiUrl })
  await using watch = createAccountWatch({
    address,
    client,
    blockTimeMs: 500,
    followReferrals: watchMissedReferrals,
  })
  const missed: MissedReferral[] = []
  watch.on('referralMissed', (one) => missed.push(one))
  await watch.watch()
  await using miner = createMiningNode({
    wallet,
    apiUrl,
    gatewayUrl,
    referralAgent: address,
    blockTimeMs: 500,
  })
  await miner.start()
  await until(() => missed.length > 0, 'one is reported')
  expect(missed[0]).toMatchObject({ miner: wallet.address, reason: 'noBalance' })
  expect(missed[0]?.amount).toBeGreaterThan(0n)
  await network.control.fund(address, 1n)
  await until(
    () => missed.some(({ reason }) => reason === 'stakeTooLow'),
    'the stake is reported to be too low',
  )
})

it('shows a balance of a network whose nodes lack block 0, and says why it tells no rewards', async () => {
  await using network = await startLocalNetwork({ seed: 'pruned', blockTimeMs: 500 })
  await using whole = createClient({ apiUrl: network.apiUrl })
  const { request } = whole.transport
  const text = '{"err":1,"message":"no"}'
  const absent = { status: 404, contentType: 'application/json', retryAfter: null, text }
  const isOrigin = ({ path, query }: TransportRequest): boolean =>
    path === '/macroblock_by_height' && query === 'height=0'
  const transport = {
    request: async (asked: TransportRequest) => (isOrigin(asked) ? absent : request(asked)),
  }
  const client = createClient({ apiUrl: network.apiUrl, transport })
  const { address } = createWallet()
  await network.control.fund(address, 5n)
  await using watch = createAccountWatch({
    address,
    client,
    blockTimeMs: 500,
    cursors: createMemoryCursors(),
  })
  const changes: (bigint | null)[] = []
  const failures: NodeError[] = []
  watch.on('balanceChanged', ({ previous }) => changes.push(previous))
  watch.on('failed', ({ error }) => failures.push(error))
  await watch.watch()
  await until(() => watch.snapshot().balance?.amount === 5n, 'the balance is read')
  await network.control.fund(address, 5n)
  await until(() => changes.includes(5n), 'it changes')
  const before = failures.length
  await until(() => failures.length > before + 1, 'rewards say why, again and again')
  expect(failures.map(({ code, facts }) => [code, facts])).toEqual(
    failures.map(() => ['HEIGHT_UNAVAILABLE', { height: 0 }]),
  )
})

it('loads nothing that mines', async () => {
  const filesOf = async (entry: string): Promise<readonly string[]> => {
    const { metafile } = await build({
      entryPoints: [new URL(entry, import.meta.url).pathname],
      bundle: true,
      format: 'esm',
      conditions: ['@hailstone/source', 'browser'],
      metafile: true,
      write: false,
    })
    const [output] = Object.values(metafile.outputs)
    return Object.entries(output?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file)
  }
  const mines = /\/session\/|web-channel|messages\//
  expect((await filesOf('../src/browser.ts')).some((file) => mines.test(file))).toBe(true)
  expect((await filesOf('../src/watch/index.ts')).filter((file) => mines.test(file))).toEqual([])
})

const wallet = createWallet()

it.each([
  ['an account watch', ({ client }: ScriptedApi) => createAccountWatch({ address: wallet.address, client })],
  [
    'a mining node',
    ({ client }: ScriptedApi) => createMiningNode({ wallet, client, gatewayUrl: 'ws://127.0.0.1:1' }),
  ],
])('%s tells what was earned while the native token was not known yet', async (_, create) => {
  const clock = manualClock()
  const script = scriptedApi(wallet.address, clock)
  script.failing.add('/native_token')
  await using watch = create(script)
  const told: number[] = []
  watch.on('rewarded', ({ index }) => told.push(index))
  await watch.watch()
  const passes = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left--) {
      clock.advance(1_000)
      await new Promise(setImmediate)
    }
  }
  await passes(4)
  Object.assign(script, { height: 14, calculatedBelow: 14 })
  const hash = sha256Hex('paid meanwhile')
  script.microblocks.set(hash, { publisher: wallet.address, referralAgent: null, height: 12 })
  script.rewards.push({ index: 7, recordType: 'im', amount: 5n, hash, time: script.originSecond + 12 })
  script.failing.clear()
  await passes(20)
  expect(told).toEqual([7])
})

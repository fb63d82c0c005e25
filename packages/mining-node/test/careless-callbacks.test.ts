import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import {
  type ClientCore,
  createClient,
  createUndiciTransport,
  createWorkerSigner,
  type Logger,
  networks,
  sendTransaction,
  serveSigner,
  type Transport,
  walkChain,
  walletFromPrivateKey,
} from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { type Address, apiError, sha256Hex, toAmount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { masterPublicKeyOf } from '@hailstone/protocol/leader'
import { guarded } from '@hailstone/runtime'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createBridge } from '../src/bridge/index.ts'
import { waitFor } from '../src/events/index.ts'
import { createFleet, watchFleetRewards } from '../src/fleet/index.ts'
import { serveHealth } from '../src/health/index.ts'
import {
  createMiningNode,
  createMiningSession,
  type MiningNodeParameters,
  type MiningSessionParameters,
} from '../src/node.ts'
import { signLater } from '../src/signer/index.ts'
import {
  createAccountWatch,
  createMemoryCursors,
  watchBalance,
  watchHeight,
  watchMissedReferrals,
  watchReferralRewards,
  watchRewards,
} from '../src/watch/index.ts'
import type { Watch } from '../src/watchers/watch-handle.ts'
import { makeBeacon } from './beacons.ts'
import type { CallbackName } from './callback-names.ts'
import { fastClock } from './fast-clock.ts'
import { modelChain } from './model-chain.ts'
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts'
import { steppedClock } from './stepped-clock.ts'
import { pause, until } from './until.ts'

const account = `02${'ab'.repeat(32)}` as Address
const wallet = walletFromPrivateKey(sha256Hex('miner'))
const other = walletFromPrivateKey(sha256Hex('another miner'))
const WORDS = 'a careless callback'

let network: LocalNetwork
let gateway: ScriptedGateway
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'callbacks', blockTimeMs: 3_600_000, keepAlive: true })
  gateway = await startScriptedGateway()
  await network.control.fund(wallet.address, toAmount(10n ** 15n))
})
afterAll(async () => {
  await gateway.stop()
  await network.stop()
})

/** In the place of any callback of the program. */
type Careless = {
  // biome-ignore lint/suspicious/noExplicitAny: it stands for callbacks of every form
  readonly call: (...given: any[]) => any
  readonly calls: () => number
  /** False for the one that never answers: nothing about it can be reported at once. */
  readonly fails: boolean
}

const kinds = {
  throws: () => {
    throw new Error(WORDS)
  },
  rejects: async () => Promise.reject(new Error(WORDS)),
  'never answers': () => new Promise(() => undefined),
} as const

function careless(kind: keyof typeof kinds): Careless {
  let calls = 0
  const call = (): unknown => {
    calls++
    return kinds[kind]()
  }
  return { call, calls: () => calls, fails: kind !== 'never answers' }
}

/** Collects what a program is told of failures. */
function reporter() {
  const reports: string[] = []
  const report = (error: unknown): void =>
    void reports.push(error instanceof Error ? error.message : String(error))
  const log: Logger['warn'] = (message, fields = {}) =>
    void reports.push([message, ...Object.values(fields)].join(' '))
  const logger: Logger = { debug: () => undefined, info: () => undefined, warn: log, error: log }
  return { reports, report, logger }
}
type Reporter = ReturnType<typeof reporter>

/** Exercises one callback, asserts that others are served meanwhile, and returns what was reported of failures. */
type Case = (callback: Careless, told: Reporter) => Promise<void>

/** A watch with a careless callback beside another one of the same chain, which misses nothing. */
const watching =
  (
    open: (
      given: { readonly common: ReturnType<typeof chainFor>['common']; readonly call: Careless['call'] },
      told: Reporter,
    ) => Watch,
  ): Case =>
  async ({ call, calls }, told) => {
    const { clock, model, common } = chainFor(told)
    const heard: bigint[] = []
    model.mine([1n])
    const good = watchRewards({ ...common, from: -1, onReward: ({ amount }) => void heard.push(amount) })
    const watch = open({ common, call }, told)
    await clock.advance(4_000)
    for (let amount = 2n; amount <= 4n; amount++) {
      model.mine([amount])
      await clock.advance(20_000)
    }
    // A fork takes the newest reward, and the API fails for a while.
    model.rollBack(1)
    model.mine([9n])
    model.mine([])
    await clock.advance(60_000)
    model.faults.failing = 6
    model.mine([10n])
    await clock.advance(90_000)
    expect(calls()).toBeGreaterThan(0)
    expect(heard).toEqual([1n, 2n, 3n, 4n, 9n, 10n])
    const stopping = Promise.all([good.stop(), watch.stop()])
    // A listener that never answers is waited for ten seconds.
    await clock.advance(11_000)
    await stopping
  }

function chainFor({ logger }: Pick<Reporter, 'logger'>) {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const client: ClientCore = { ...model.clientOf(clock), logger }
  return { clock, model, common: { client, address: account, pollIntervalMs: 2_000 } }
}

/** A store of cursors that is careless. */
const storeOf = (call: Careless['call']) => ({ store: { read: call, write: call }, name: 'a cursor' })
const writesOf = (call: Careless['call']) => ({
  store: { ...createMemoryCursors(), write: call },
  name: 'a cursor',
})

const ignore = (): void => undefined

/** The callbacks of all watches of rewards. */
const rewardCases = (watch: typeof watchRewards) => ({
  onReward: watching(({ common, call }, { report }) =>
    watch({ ...common, from: -1, onReward: call, onError: report }),
  ),
  onReverted: watching(({ common, call }, { report }) =>
    watch({ ...common, from: -1, onReward: ignore, onReverted: call, onError: report }),
  ),
  onRead: watching(({ common, call }, { report }) =>
    watch({ ...common, from: -1, onReward: ignore, onRead: call, onError: report }),
  ),
  onError: watching(({ common, call }) =>
    watch({ ...common, from: -1, onReward: kinds.throws, onError: call }),
  ),
  onUndelivered: watching(({ common, call }, { report }) => {
    const onReward = kinds.throws
    return watch({ ...common, from: -1, onReward, onUndelivered: call, maxAttempts: 1, onError: report })
  }),
  cursor: watching(({ common, call }, { report }) =>
    watch({ ...common, from: -1, onReward: ignore, cursor: storeOf(call), onError: report }),
  ),
  openKeyBlock: watching(({ common, call }, { report }) =>
    watch({ ...common, onReward: ignore, openKeyBlock: call, onError: report }),
  ),
})

const balanceCases = {
  onChange: watching(({ common, call }, { report }) =>
    watchBalance({ ...common, onChange: call, onError: report }),
  ),
  onRead: watching(({ common, call }, { report }) =>
    watchBalance({ ...common, onChange: ignore, onRead: call, onError: report }),
  ),
  onError: watching(({ common, call }) => watchBalance({ ...common, onChange: kinds.throws, onError: call })),
  cursor: watching(({ common, call }, { report }) =>
    watchBalance({ ...common, onChange: ignore, cursor: writesOf(call), onError: report }),
  ),
}

/** A watch over a network with real sockets, beside one of the height that goes on. */
const onNetwork =
  (
    open: (
      given: { readonly client: ClientCore; readonly call: Careless['call'] },
      told: Reporter,
    ) => Watch | Promise<Watch>,
  ): Case =>
  async ({ call, calls }, told) => {
    await using client = createClient({ apiUrl: network.apiUrl, logger: told.logger, clock: fastClock(20) })
    let heights = 0
    await using _ = watchHeight({ client, pollIntervalMs: 400, onChange: () => void heights++ })
    await using watch = await open({ client, call }, told)
    await until(() => heights > 0, 'the height is known')
    await until(async () => {
      await network.closeNow()
      await pause(100)
      return calls() > 0
    }, 'the callback was called')
    const before = heights
    await network.closeNow()
    await until(() => heights > before, 'the height is followed on')
    await watch.stop()
  }

const fleetWatch = (
  given: Partial<Parameters<typeof watchFleetRewards>[0]>,
  client: ClientCore,
  { report }: Reporter,
) =>
  watchFleetRewards({
    client,
    pollIntervalMs: 400,
    cursor: { store: createMemoryCursors(), name: 'fleet' },
    isOurs: () => true,
    areAccountsKnown: () => true,
    onReward: async () => undefined,
    onReverted: async () => undefined,
    onError: report,
    ...given,
  })

let beacons = 0
/** A beacon with a leader's signature, which nobody looks at but a verifier of the test. */
function ledBeacon(publisher: Address): string {
  const wire = JSON.parse(makeBeacon({ publisher, nonce: ++beacons }).text)
  wire.data.leader_sign = { r: { x: ['1', '2'], y: ['3', '4'] }, s: { x: ['5'], y: ['6'] } }
  return JSON.stringify(wire)
}

const led = (verifyLeader: Careless['call']) => ({
  verifyLeader,
  network: {
    ...networks.bit,
    masterPublicKey: masterPublicKeyOf(20_251_121n),
    originHash: undefined,
  },
})

/** A session with a careless part beside one without, at one gateway. */
const mining =
  (careless: (call: Careless['call'], told: Reporter) => Partial<MiningSessionParameters>): Case =>
  async ({ call, calls }, told) => {
    await using gateway = await startScriptedGateway()
    const shared = { gatewayUrl: gateway.url, clock: fastClock(20) }
    const onEvent: MiningSessionParameters['onEvent'] = (event) => {
      if (/refused|disconnected|stopped|failed/i.test(event.type)) told.report(JSON.stringify(event))
    }
    const session = createMiningSession({
      wallet,
      onEvent,
      ...shared,
      ...careless(call, told),
    } as MiningSessionParameters)
    await using good = createMiningSession({ wallet: other, ...shared })
    session.start()
    good.start()
    await until(() => {
      for (const socket of gateway.sockets) {
        for (const publisher of [wallet.address, other.address]) socket.send(ledBeacon(publisher))
      }
      return calls() > 0 && gateway.publications().some(({ data }) => data.id === other.address)
    }, 'the callback was called, and the other one publishes')
    await session.stop()
  }

const nodeWith =
  (careless: (call: Careless['call'], told: Reporter) => Partial<MiningNodeParameters>): Case =>
  async ({ call, calls }, told) => {
    await using gateway = await startScriptedGateway()
    const node = createMiningNode({
      wallet,
      apiUrl: network.apiUrl,
      gatewayUrl: gateway.url,
      clock: fastClock(20),
      pollIntervalMs: 1_000,
      logger: told.logger,
      ...careless(call, told),
    })
    node.on('failed', ({ error }) => told.report(error))
    node.on('beaconRefused', ({ why }) => told.report(why))
    node.on('disconnected', ({ why }) => told.report(why))
    let heights = 0
    node.on('heightChanged', () => heights++)
    await node.start()
    await until(async () => {
      await network.closeNow()
      for (const socket of gateway.sockets) socket.send(ledBeacon(wallet.address))
      await pause(100)
      return calls() > 0 && heights > 1
    }, 'the callback was called, and the height is followed')
    await node.close()
  }

/** A server of health whose other addresses are answered. */
const served =
  (careless: (call: Careless['call']) => object): Case =>
  async ({ call, calls, fails }, { report }) => {
    const source = {
      health: () => ({ isReady: true }),
      status: () => ({}),
      metrics: () => 'up 1',
      ...careless(call),
    }
    const access = 'access' in source ? (source.access as Careless['call']) : undefined
    await using server = await serveHealth(source, { port: 0, access })
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { signal: AbortSignal.timeout(300) })
    const statuses = await Promise.allSettled(['/readyz', '/status', '/metrics'].map(ask))
    expect(calls()).toBeGreaterThan(0)
    if (fails) report(statuses.map((one) => (one.status === 'fulfilled' ? one.value.status : 0)).join(' '))
    if (access === undefined)
      expect(statuses.some((one) => one.status === 'fulfilled' && one.value.ok)).toBe(true)
  }

/** Answers while the server is opened, which asks twice. */
function onceFine(call: Careless['call']): Careless['call'] {
  let asked = 0
  return () => (++asked <= 2 ? {} : call())
}

const fleetWith =
  (careless: (call: Careless['call']) => object): Case =>
  async ({ call, calls, fails }, told) => {
    await using gateway = await startScriptedGateway()
    const fleet = createFleet({
      gatewayUrl: gateway.url,
      logger: told.logger,
      clock: fastClock(20),
      ...careless(call),
    })
    fleet.subscribe((event) => {
      if (/failed|refused|disconnected|stopped/i.test(event.type)) told.report(JSON.stringify(event))
    })
    await using good = createFleet({ wallets: [other], gatewayUrl: gateway.url })
    const starting = fleet.start().catch(told.report)
    await good.start()
    await until(() => calls() > 0, 'the callback was called')
    await until(() => gateway.hails().length > 0, 'the other one hails')
    await fleet.stop()
    if (fails) await starting
    // Of a logger nothing can be reported.
    if (told.reports.length === 0) told.report(JSON.stringify(fleet.health(), (_, value) => String(value)))
  }

async function accountWatch(given: object, client: ClientCore, { report }: Reporter): Promise<Watch> {
  const watch = createAccountWatch({ client, address: account, pollIntervalMs: 400, ...given })
  watch.on('failed', ({ error }) => report(error))
  await watch.watch().catch(report)
  return { stop: watch.close, [Symbol.asyncDispose]: watch.close }
}

/** Watches for an agent that holds nothing while somebody it invited mines. */
async function missedReferrals(
  given: Pick<Parameters<typeof watchMissedReferrals>[0], 'client' | 'onMissed' | 'onError'>,
): Promise<Watch> {
  const { client } = given
  const [miner] = network.accounts.developers
  const agent = walletFromPrivateKey(sha256Hex('an agent without a balance')).address
  const node = createMiningNode({
    wallet: walletFromPrivateKey(String(miner?.privateKey)),
    client,
    gatewayUrl: network.gatewayUrl,
    referralAgent: agent,
  })
  onTestFinished(() => node.close())
  await node.start()
  return watchMissedReferrals({ ...given, pollIntervalMs: 400, address: agent })
}

/** The API of the network as another node shows it. */
async function proxy(changed: (text: string) => string) {
  const server = createServer(async ({ url = '' }, response) => {
    const answer = await fetch(new URL(url, network.apiUrl))
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    const text = await answer.text()
    response.end(url.includes('/balance?') ? changed(text) : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The way to the network, of which the first requests fail. */
function failingTransport(times: number): Transport {
  const transport = createUndiciTransport({ apiUrl: network.apiUrl })
  let left = times
  return {
    ...transport,
    request: async (request) => {
      if (left-- > 0) throw apiError('REQUEST_FAILED', { path: request.path, reason: 'scripted' })
      return transport.request(request)
    },
  }
}

const prefixed = <Name extends string, C extends Readonly<Record<string, Case>>>(name: Name, group: C) =>
  Object.fromEntries(Object.entries(group).map(([key, one]) => [`${name}.${key}`, one])) as {
    readonly [K in keyof C & string as `${Name}.${K}`]: Case
  }

const miners = (with_: typeof mining | typeof nodeWith) => ({
  wallet: with_((call) => ({
    wallet: { address: wallet.address, signHail: call, signPublication: call } as never,
  })),
  signLater: with_((call) => ({
    wallet: { address: wallet.address, signHail: call, signPublication: call } as never,
    signLater,
  })),
  verify: with_((call) => ({ verify: call })),
  verifyLeader: with_((call) => led(call) as never),
  openChannel: with_((call) => ({ openChannel: call })),
})

/** Parts of the platform or of a test, asked where a failure is that of the call itself. */
const PLATFORM = 'a source of the platform: without it the call that needs it throws'
const PAYMENTS = 'a payment of its own test: packages/client/test/signer-payments.test.ts'
const ENDS_ITS_CALL = 'awaited by the call that it was passed to, which rejects with what it throws'

const cases: { readonly [N in CallbackName]: Case | string } = {
  'createClient.logger': async ({ call }, { report }) => {
    const logger = { debug: call, info: call, warn: call, error: call }
    const transport = failingTransport(2)
    await using client = createClient({
      apiUrl: network.apiUrl,
      logger,
      transport,
      retry: { baseDelayMs: 1 },
    })
    // There is nowhere else to report what a logger throws.
    report((await client.getHeight()).toString())
  },
  'createClient.onDisagreement': async ({ call, calls }, { logger }) => {
    await using honest = await proxy((text) => text)
    await using liar = await proxy((text) => text.replace(/"amount":"?\d+"?/, '"amount":"9"'))
    const apiUrls = [liar.url, network.apiUrl, honest.url]
    const options = { quorum: 2, onDisagreement: call, logger, randomness: () => 0 }
    await using client = createClient({ apiUrls, ...options })
    await client.getBalance({ address: account })
    expect(calls()).toBe(1)
    await client.getBalance({ address: account })
  },
  'createClient.randomness': PLATFORM,
  'createClient.transport': async ({ call, fails }, { report }) => {
    await using client = createClient({
      apiUrl: network.apiUrl,
      transport: { request: call },
      timeoutMs: 200,
    })
    if (!fails) return
    await client.getHeight().catch(report)
  },
  'createClientCore.logger': 'as createClient.logger',
  'createClientCore.randomness': PLATFORM,
  'createClientCore.transport': 'as createClient.transport',
  'createFailoverTransport.randomness': PLATFORM,
  'createFetchTransport.fetch': PLATFORM,
  'createPayments.failpoint': PAYMENTS,
  'createPayments.journal': PAYMENTS,
  'createPayments.verify': PAYMENTS,
  'createPayments.wallet': PAYMENTS,
  'createUndiciTransport.dispatcher': PLATFORM,
  'createWallet.ecdsa': PLATFORM,
  'createWallet.randomBytes': PLATFORM,
  'createWorkerSigner.port': PLATFORM,
  'decryptWallet.ecdsa': PLATFORM,
  'encryptWallet.randomBytes': PLATFORM,
  'encryptWallet.wallet': ENDS_ITS_CALL,
  'signIn.wallet': ENDS_ITS_CALL,
  'openFileJournal.disk': PAYMENTS,
  'openFileJournal.failpoint': PAYMENTS,
  'sendTransaction.onSigned': async ({ call, calls, fails }, { report }) => {
    await using client = createClient({ apiUrl: network.apiUrl })
    const parameters = { wallet, to: account, amount: toAmount(1n), onSigned: call }
    const before = await client.getPoolSize()
    // Nothing is sent before it has answered.
    const sending = sendTransaction(client, parameters).catch(report)
    await until(() => calls() > 0, 'it was signed')
    if (fails) await sending
    expect(await client.getPoolSize()).toBe(before)
  },
  'sendTransaction.wallet': async ({ call, calls, fails }, { report }) => {
    await using client = createClient({ apiUrl: network.apiUrl })
    const signing = { address: wallet.address, signTransaction: call } as never
    const sending = sendTransaction(client, { wallet: signing, to: account, amount: toAmount(1n) }).catch(
      report,
    )
    await until(() => calls() > 0, 'it was asked to sign')
    if (fails) await sending
  },
  'serveSigner.port': PLATFORM,
  'serveSigner.signer': async ({ call, fails }, { report }) => {
    const { port1, port2 } = new MessageChannel()
    const stop = serveSigner({ port: port1, signer: { ...wallet, signHail: call } })
    const signer = await createWorkerSigner({ port: port2, timeoutMs: 200 })
    await Promise.resolve(signer.signHail({ host: '127.0.0.1', tokenId: ZERO_TOKEN_ID })).catch(report)
    const publication = {
      microblockHash: sha256Hex('a'),
      keyBlockHash: sha256Hex('b'),
      tokenId: ZERO_TOKEN_ID,
    }
    expect((await signer.signPublication(publication)).address).toBe(wallet.address)
    expect(fails).toBeDefined()
    signer.close()
    stop()
    port1.close()
    port2.close()
  },
  'walkChain.onHole': async ({ call, calls, fails }, { report }) => {
    const way = createUndiciTransport({ apiUrl: network.apiUrl })
    const text = '{"err":1,"message":"no such height"}'
    const gone = { status: 404, contentType: 'application/json', text }
    const transport: Transport = {
      ...way,
      request: async (asked) => (asked.query === 'height=1' ? gone : way.request(asked)),
    }
    await network.closeNow()
    await network.closeNow()
    await network.closeNow()
    await using client = createClient({ apiUrl: network.apiUrl, transport, clock: fastClock(20) })
    const walk = walkChain(client, { fromHeight: 0, toHeight: 2, onHole: call })
    const walked = (async () => {
      for await (const _ of walk);
    })().catch(report)
    await until(() => calls() > 0, 'the hole was found')
    if (fails) await walked
  },
  'walletFromPrivateKey.ecdsa': PLATFORM,
  'createMnemonic.randomBytes': PLATFORM,
  'walletFromMnemonic.ecdsa': PLATFORM,
  'guarded.0': async ({ call }, { report }) => {
    guarded(call, report)()
  },
  'guarded.1': async ({ call }, { report }) => {
    guarded(kinds.throws, call)()
    report('a report that fails has no other')
  },
  'aboutPath.1': PLATFORM,
  'assertOwnFiles.beside': PLATFORM,
  'assertOwnFiles.files': PLATFORM,
  'assertOwnFiles.list': PLATFORM,
  'hasOwnList.read': PLATFORM,
  'updateOwnFiles.beside': PLATFORM,
  'updateOwnFiles.files': PLATFORM,
  'updateOwnFiles.list': PLATFORM,
  'limitConnections.close': PLATFORM,
  'limitConnections.groupOf': PLATFORM,
  'limitConnections.on': PLATFORM,
  'fetchThroughProxy.body': PLATFORM,
  'fetchThroughProxy.headers': PLATFORM,
  'outwardConnector.0': PLATFORM,
  'wholeModule.from': PLATFORM,
  'postWebhook.lookup': PLATFORM,
  'createMiningNode.cursors': nodeWith((call) => ({ cursors: { read: call, write: call } })),
  'createMiningNode.followReferrals': nodeWith((call) => ({ followReferrals: call })),
  'createMiningNode.logger': nodeWith((call) => ({
    logger: { debug: call, info: call, warn: call, error: call },
  })),
  'createMiningNode.openChannel': miners(nodeWith).openChannel,
  'createMiningNode.randomness': PLATFORM,
  'createMiningNode.signLater': miners(nodeWith).signLater,
  'createMiningNode.verify': miners(nodeWith).verify,
  'createMiningNode.verifyLeader': miners(nodeWith).verifyLeader,
  'createMiningNode.wallet': miners(nodeWith).wallet,
  'createMiningSession.onError': mining((call, { report }) => {
    report('what it throws is reported nowhere')
    return { onEvent: kinds.throws, onError: call }
  }),
  'createMiningSession.onEvent': mining((call, { report }) => ({ onEvent: call, onError: report })),
  'createMiningSession.openChannel': miners(mining).openChannel,
  'createMiningSession.randomness': PLATFORM,
  'createMiningSession.signLater': miners(mining).signLater,
  'createMiningSession.verify': miners(mining).verify,
  'createMiningSession.verifyLeader': miners(mining).verifyLeader,
  'createMiningSession.wallet': miners(mining).wallet,
  'createBridge.logger': async ({ call, calls }, { report }) => {
    const logger = { debug: call, info: call, warn: call, error: call }
    await using bridge = await createBridge({ upstreams: [gateway.url], allowedOrigins: [], logger })
    const refused = new WebSocket(bridge.url, { origin: 'https://elsewhere.example' }).on('error', report)
    await until(() => calls() > 0 && refused.readyState === WebSocket.CLOSED, 'a page is refused')
  },
  'waitFor.on': ENDS_ITS_CALL,
  'events.on': ENDS_ITS_CALL,
  'waitFor.where': async ({ call, fails }, { report }) => {
    const listeners: ((given: never) => unknown)[] = []
    const on = (_: string, listener: (given: never) => unknown) => {
      listeners.push(listener)
      return ignore
    }
    const waiting = waitFor({ on } as never, 'started', { where: call }).catch(report)
    for (const listener of listeners) listener({} as never)
    if (fails) await waiting
  },
  'createFleet.keys': fleetWith((call) => ({ keys: call, signingThreads: 0 })),
  'createFleet.logger': fleetWith((call) => ({
    wallets: [wallet, other],
    logger: { debug: call, info: call, warn: call, error: call },
  })),
  'createFleet.openChannel': fleetWith((call) => ({ wallets: [wallet], openChannel: call })),
  'createFleet.randomness': PLATFORM,
  'createFleet.wallets': fleetWith((call) => ({
    wallets: [{ address: wallet.address, signHail: call, signPublication: call } as never, other],
  })),
  'watchFleetRewards.areAccountsKnown': onNetwork(({ client, call }, told) =>
    fleetWatch({ areAccountsKnown: call }, client, told),
  ),
  'watchFleetRewards.cursor': onNetwork(({ client, call }, told) =>
    fleetWatch({ cursor: storeOf(call) }, client, told),
  ),
  'watchFleetRewards.isOurs': onNetwork(({ client, call }, told) =>
    fleetWatch({ isOurs: call }, client, told),
  ),
  'watchFleetRewards.onError': onNetwork(({ client, call }, told) =>
    fleetWatch({ onError: call, onReward: kinds.throws }, client, told),
  ),
  'watchFleetRewards.openKeyBlock': onNetwork(({ client, call }, told) =>
    fleetWatch({ openKeyBlock: call }, client, told),
  ),
  'watchFleetRewards.onReverted': onNetwork(({ client, call }, told) => {
    let rewards = 0
    // A fork takes what was just told.
    const onReward = async (): Promise<void> => {
      if (++rewards % 10 === 0) network.control.reorganise(1).catch(ignore)
    }
    return fleetWatch({ onReward, onReverted: call }, client, told)
  }),
  'watchFleetRewards.onReward': onNetwork(({ client, call }, told) =>
    fleetWatch({ onReward: call }, client, told),
  ),
  'cursorsOfChain.store': ENDS_ITS_CALL,
  'createAccountWatch.cursors': onNetwork(({ client, call }, told) =>
    accountWatch({ cursors: { read: call, write: call } }, client, told),
  ),
  'createAccountWatch.followReferrals': onNetwork(({ client, call }, told) =>
    accountWatch({ followReferrals: call }, client, told),
  ),
  ...prefixed('watchBalance', balanceCases),
  ...prefixed('watchRewards', rewardCases(watchRewards)),
  ...prefixed('watchReferralRewards', rewardCases(watchReferralRewards)),
  'watchHeight.onChange': watching(({ common, call }, { report }) =>
    watchHeight({ ...common, onChange: call, onError: report }),
  ),
  'watchHeight.onError': watching(({ common, call }) =>
    watchHeight({ ...common, onChange: ignore, onError: call }),
  ),
  'watchMissedReferrals.onError': onNetwork(({ client, call }) =>
    missedReferrals({ client, onMissed: kinds.throws, onError: call }),
  ),
  'watchMissedReferrals.onMissed': onNetwork(({ client, call }, { report }) =>
    missedReferrals({ client, onMissed: call, onError: report }),
  ),
  'serveHealth.access': served((call) => ({ access: onceFine(call) })),
  'serveHealth.health': served((call) => ({ health: call })),
  'serveHealth.metrics': served((call) => ({ metrics: call })),
  'serveHealth.status': served((call) => ({ status: call })),
  'watchNodeHealth.node': PLATFORM,
  'signLater.clock': PLATFORM,
  'signLater.feed': PLATFORM,
  'signLater.onEvent': 'as createMiningSession.onEvent, of which it is a part',
  'signLater.send': PLATFORM,
  'signLater.signer': 'as createMiningSession.signLater, of which it is a part',
  'signLater.verify': 'as createMiningSession.verify, of which it is a part',
}

const walked = Object.entries(cases).flatMap(([name, one]) =>
  typeof one === 'string'
    ? []
    : Object.keys(kinds).map((kind) => [name, kind as keyof typeof kinds, one] as const),
)

it.each(walked)('%s that %s ends nothing, holds up nobody else, and is reported', async (_, kind, one) => {
  const loose: unknown[] = []
  const onLoose = (error: unknown): void => void loose.push(error)
  process.on('unhandledRejection', onLoose).on('uncaughtException', onLoose)
  onTestFinished(() => {
    process.off('unhandledRejection', onLoose).off('uncaughtException', onLoose)
  })
  const told = reporter()
  const callback = careless(kind)
  await one(callback, told)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(loose).toEqual([])
  if (callback.fails) expect(told.reports).not.toEqual([])
})

it('says of each callback that is not walked why', () => {
  const reasons = Object.values(cases).filter((one) => typeof one === 'string')
  expect(reasons.length).toBeLessThan(Object.keys(cases).length / 2)
})

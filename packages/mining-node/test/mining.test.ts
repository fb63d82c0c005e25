import { createClient, type TransportRequest, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { encodeReferralCode, type Hash, sha256Hex, type TokenId } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MiningEvent, MiningEvents } from '../src/events.ts'
import type { MiningNode, MiningNodeParameters } from '../src/mining-node.ts'
import { createMiningNode } from '../src/node.ts'
import { modelChain } from './model-chain.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { steppedClock } from './stepped-clock.ts'
import { pause, until } from './until.ts'

const BLOCK_TIME_MS = 600

const startNetwork = (options: LocalNetworkOptions = {}): Promise<LocalNetwork> =>
  startLocalNetwork({ seed: 'mining', blockTimeMs: BLOCK_TIME_MS, fallbackMiner: false, ...options })

/** For the tests that leave a network as they found it. */
let shared: LocalNetwork
beforeAll(async () => {
  shared = await startNetwork()
})
afterAll(() => shared.stop())

const developer = ({ accounts }: Pick<LocalNetwork, 'accounts'>, at: number) => {
  const account = accounts.developers[at]
  if (account === undefined) throw new Error(`the network has no developer ${at}`)
  return walletFromPrivateKey(account.privateKey)
}

type Recorded = MiningNode & {
  readonly all: <E extends MiningEvent>(event: E) => readonly MiningEvents[E][]
}

const names: readonly MiningEvent[] = [
  'started',
  'connected',
  'hailed',
  'beaconReceived',
  'beaconRefused',
  'published',
  'included',
  'rewarded',
  'referralRewarded',
  'balanceChanged',
  'heightChanged',
  'disconnected',
  'stopped',
  'failed',
]

/** A node that remembers its events. */
function recorded(parameters: MiningNodeParameters): Recorded {
  // The little chance there is shortens the waits.
  const node = createMiningNode({ blockTimeMs: BLOCK_TIME_MS, randomness: () => 0.1, ...parameters })
  const heard: { readonly event: MiningEvent; readonly given: unknown }[] = []
  for (const event of names) node.on(event, (given) => heard.push({ event, given }))
  const all: Recorded['all'] = (event) =>
    heard.filter((one) => one.event === event).map(({ given }) => given) as never
  return Object.defineProperties({ all }, Object.getOwnPropertyDescriptors(node)) as Recorded
}

const isMining = (node: MiningNode) => (): boolean => node.state.status === 'mining'

/** Describes network and nodes for the error of a wait that ran out of time: a rare fault has to explain itself. */
const standOf = (network: LocalNetwork, nodes: readonly Recorded[]): string =>
  JSON.stringify({
    height: network.height(),
    minersOnline: network.gateway.minersOnline(),
    nodes: nodes.map((node) => ({
      address: node.address,
      ...node.state,
      ...Object.fromEntries(names.map((name) => [name, node.all(name).length])),
      lastFailures: node.all('failed').slice(-2).map(String),
      lastDisconnections: node.all('disconnected').slice(-2),
    })),
  })

describe('mining on a local network', () => {
  it('leads from a signature to a reward, and to a referral reward for the agent', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    const agentWallet = developer(network, 0)
    await using agent = recorded({ wallet: agentWallet, apiUrl, gatewayUrl })
    await using miner = recorded({
      wallet: developer(network, 1),
      apiUrl,
      gatewayUrl,
      referralAgent: encodeReferralCode(agentWallet.address),
    })
    await Promise.all([agent.start(), miner.start()])
    await until(
      () => miner.all('rewarded').length > 0 && miner.all('referralRewarded').length > 0,
      () => `it earned: ${standOf(network, [agent, miner])}`,
    )
    await until(() => agent.all('referralRewarded').some(({ role }) => role === 'agent'), 'the agent earned')
    const asAgent = agent.all('referralRewarded').find(({ role }) => role === 'agent')
    const halfOf = () =>
      miner.all('referralRewarded').find(({ microblockHash }) => microblockHash === asAgent?.microblockHash)
    await until(() => halfOf() !== undefined, 'the miner heard of its half too')
    const half = halfOf()
    expect(half).toMatchObject({ role: 'referral', amount: asAgent?.amount, height: asAgent?.height })
    // Each says whose it is; the agent's names who was invited.
    expect(half).toMatchObject({ address: miner.address, miner: miner.address })
    expect(asAgent).toMatchObject({ address: agent.address, miner: miner.address })

    await using client = createClient({ apiUrl })
    const [reward] = miner.all('rewarded')
    const block = await client.getMicroblock({ hash: reward?.microblockHash as never })
    expect(block?.header).toMatchObject({
      publisher: miner.address,
      referralAgent: agentWallet.address,
      reward: reward?.amount,
      tokenId: reward?.tokenId,
    })
    expect(reward).toMatchObject({ role: 'miner', recordType: 'im', address: miner.address })
    const macroblock = await client.getMacroblock({ height: reward?.height as number })
    expect(macroblock?.keyBlock.hash).toBe(block?.header.keyBlockHash)
    expect(reward?.timeMs).toBe(Number(macroblock?.keyBlock.time) * 1_000)
    await until(() => miner.all('included').length > 0, 'its inclusion was noticed')
    expect(miner.all('published').map(({ microblockHash }) => microblockHash)).toContain(
      miner.all('included')[0]?.microblockHash,
    )
    expect(isMining(miner)()).toBe(true)
    expect(miner.state.why).toBe('')
  })

  it('counts every reward once, and the balance agrees with the network', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    await using node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await node.start()
    await until(
      () => node.all('rewarded').length >= 4,
      () => `it earned four times: ${standOf(network, [node])}`,
    )
    const indices = node.all('rewarded').map(({ index }) => index)
    expect(indices).toEqual([...new Set(indices)].sort((one, other) => one - other))
    await until(() => node.snapshot().balance?.amount === network.balance(node.address), 'the balance agrees')
    const [total] = node.snapshot().rewards
    expect(total?.own).toBe(node.all('rewarded').reduce((sum, { amount }) => sum + amount, 0n))
  })

  it('mines a custom token', async () => {
    const network = shared
    const { apiUrl, gatewayUrl, tokens } = network
    await using native = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await using node = recorded({
      wallet: developer(network, 1),
      apiUrl,
      gatewayUrl,
      tokenId: tokens.mineable.id,
    })
    await Promise.all([native.start(), node.start()])
    await until(
      () => node.all('rewarded').length > 0,
      () => `it earned: ${standOf(network, [native, node])}`,
    )
    expect(node.all('rewarded')[0]?.tokenId).toBe(tokens.mineable.id)
    expect(node.snapshot().balance?.symbol).toBe(tokens.mineable.symbol)
  })

  it('P-18: asks once for a microblock of its own', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    const client = createClient({ apiUrl })
    const asked: string[] = []
    const counted = {
      ...client,
      // Polls of its own, so that its questions are not asked by the other node.
      sharingKey: 'counted',
      transport: {
        request: (request: TransportRequest) => {
          const { path, query = '' } = request
          if (path === '/mblock') asked.push(query.slice('hash='.length))
          return client.transport.request(request)
        },
      },
    }
    await using other = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await using node = recorded({ wallet: developer(network, 1), client: counted, gatewayUrl })
    await Promise.all([other.start(), node.start()])
    const own = () => new Set(node.all('included').map(({ microblockHash }) => microblockHash))
    await until(
      () => node.all('rewarded').length >= 6 && own().size >= 6,
      () => `it earned six times: ${standOf(network, [other, node])}`,
    )
    // Where a macroblock brought two of its own, the first one may be asked for again.
    expect(asked.filter((hash) => own().has(hash as Hash)).length).toBeLessThan(1.5 * own().size)
    await client.close()
  })

  it('says that the stake is too low, with figures', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    const wallet = walletFromPrivateKey(sha256Hex('pauper'))
    await using node = recorded({ wallet, apiUrl, gatewayUrl })
    await node.start()
    await until(() => node.snapshot().warnings.some(({ code }) => code === 'STAKE_TOO_LOW'), 'it was warned')
    await until(() => node.state.why.includes('your stake of 0'), 'the state says so')
    expect(node.state.why).toMatch(/your stake of 0 \w+ is below the minimum of 25 \w+$/)
    expect(node.state.status).not.toBe('mining')
  })

  it('warns of an agent that earns nothing and of a token that cannot be mined', async () => {
    const network = shared
    const { apiUrl, gatewayUrl, tokens } = network
    const nobody = walletFromPrivateKey(sha256Hex('nobody')).address
    await using one = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl, referralAgent: nobody })
    await using two = recorded({
      wallet: developer(network, 1),
      apiUrl,
      gatewayUrl,
      tokenId: tokens.fixed.id,
    })
    await using three = recorded({
      wallet: developer(network, 2),
      apiUrl,
      gatewayUrl,
      tokenId: sha256Hex('no token') as string as TokenId,
    })
    await Promise.all([one.start(), two.start(), three.start()])
    const codes = (node: MiningNode) => node.snapshot().warnings.map(({ code }) => code)
    await until(() => [one, two, three].every((node) => codes(node).length > 0), 'all were warned')
    expect(codes(one)).toEqual(['AGENT_WITHOUT_BALANCE'])
    expect(codes(two)).toContain('TOKEN_NOT_MINEABLE')
    expect(codes(three)).toEqual(['TOKEN_UNKNOWN'])
  })

  it('warns an agent who holds too little for what the invited miners bring', async () => {
    const { apiUrl, gatewayUrl, control } = shared
    const agent = walletFromPrivateKey(sha256Hex('an agent with the stake of a miner'))
    await control.fund(agent.address, 25n * 10n ** 10n)
    const parts = { apiUrl, gatewayUrl }
    await using invited = recorded({ ...parts, wallet: developer(shared, 3), referralAgent: agent.address })
    await invited.start()
    await shared.mineUntilRewarded(invited)
    await using node = recorded({ ...parts, wallet: agent })
    await node.start()
    const warning = () => node.snapshot().warnings.find(({ code }) => code === 'REFERRER_STAKE_TOO_LOW')
    await until(() => warning() !== undefined, 'the agent is warned')
    expect(warning()?.message).toMatch(/you hold 25 \w+, an agent needs 1000 \w+\.$/)
  })
})

describe('trouble', () => {
  it('U2: one key on two devices: the older waits for its turn and says when it comes, the newer mines', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    await using older = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await older.start()
    await until(isMining(older), 'the first mines')
    await using newer = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await newer.start()
    const isEvicted = (): boolean =>
      older.state.status === 'waiting' && older.state.reason.kind === 'duplicateKey'
    await until(isEvicted, 'the first waits for its turn')
    const [, seconds] = /another device .* takes its turn in (\d+) s$/.exec(older.state.why) ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(60)
    expect(older.state.nextStep).toContain('Stop the other device')
    await until(isMining(newer), 'the second mines')
    expect(older.all('stopped')).toEqual([])
    await pause(500)
    expect(older.state.status).toBe('waiting')
  })

  it('a device that was told to stop waits, is started again and takes the key back', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    const onDuplicateKey = 'stop'
    await using older = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl, onDuplicateKey })
    await using newer = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl, onDuplicateKey })
    await older.start()
    await until(() => older.all('hailed').length === 1, 'the first hailed')
    const isToldToStop = ({ state }: Recorded): boolean =>
      state.status === 'waiting' && state.reason.kind === 'duplicateKey'
    // The newest connection has the key. Where this process stood still, a device that was cut off meanwhile comes back
    // by itself after the other one hailed, and takes the key: then that one is started again.
    const take = (taker: Recorded, other: Recorded): Promise<void> =>
      until(
        async () => {
          // Not while it waits for its stake: that reading would begin anew.
          if (isToldToStop(taker)) await taker.stop()
          if (['idle', 'stopped'].includes(taker.state.status)) await taker.start()
          return isToldToStop(other) && isMining(taker)()
        },
        () => `one mines and the other waits: ${taker.state.why}, ${other.state.why}`,
      )
    await take(newer, older)
    await take(older, newer)
  })

  it('G-18: gateway and API away and back: mining resumes by itself, no value falls to zero', async () => {
    const first = await startNetwork()
    const { apiUrl, gatewayUrl } = first
    const ports = { apiPort: Number(new URL(apiUrl).port), gatewayPort: Number(new URL(gatewayUrl).port) }
    await using node = recorded({ wallet: developer(first, 0), apiUrl, gatewayUrl })
    await node.start()
    await until(() => isMining(node)() && node.snapshot().balance !== null, 'it mines')
    const { balance, height } = node.snapshot()
    await first.stop()
    await until(
      () => node.state.status === 'waiting' && node.snapshot().api.status === 'unreachable',
      'it noticed',
    )
    expect(node.state.why).not.toBe('')
    expect(node.snapshot().api.why).not.toBe('')
    expect(node.snapshot().balance).toMatchObject({ isStale: true })
    expect(node.snapshot().balance?.amount).toBeGreaterThanOrEqual(balance?.amount ?? 1n)
    expect(node.snapshot().height).toMatchObject({ isStale: true })
    expect(node.snapshot().height?.value).toBeGreaterThanOrEqual(height?.value ?? 1)
    const before = node.all('balanceChanged').length
    await using _second = await startNetwork(ports)
    await until(
      () => isMining(node)() && node.snapshot().api.status === 'reachable',
      'it mines again',
      18_000,
    )
    expect(
      node
        .all('balanceChanged')
        .slice(before)
        .every(({ amount }) => amount > 0n),
    ).toBe(true)
    expect(node.all('failed').length).toBeGreaterThan(0)
  })

  it('G14: what is caught up with after the API was away is not held against the gateway', async () => {
    await using gateway = await startScriptedGateway()
    const wallet = walletFromPrivateKey(sha256Hex('away'))
    const [model, clock] = [modelChain(wallet.address), steppedClock()]
    const mine = async (count: number): Promise<void> => {
      for (let block = 0; block < count; block++) model.mine([])
      await clock.advance(30_000)
    }
    await using node = recorded({ wallet, gatewayUrl: gateway.url, client: model.clientOf(clock) })
    await node.start()
    const socket = await gateway.hailed()
    await mine(1)
    // It is called silent after 42 macroblocks of others without a beacon of ours.
    model.faults.failing = 5
    await mine(60)
    expect(node.all('failed').map(({ error }) => error.code)).toContain('REQUEST_FAILED')
    await clock.advance(60_000)
    await mine(1)
    expect(node.snapshot().height).toMatchObject({ value: model.height(), isStale: false })
    expect(node.all('disconnected')).toEqual([])
    expect(socket.readyState).toBe(socket.OPEN)
    for (let block = 0; block < 42; block++) await mine(1)
    await until(() => node.all('disconnected').length === 1, 'real silence was noticed')
    expect(node.all('disconnected')).toMatchObject([{ reason: { kind: 'gatewaySilent' } }])
  })

  it('everything absent at the start: start resolves, the state says what is missing', async () => {
    const gone = await startNetwork()
    const { apiUrl, gatewayUrl } = gone
    await gone.stop()
    await using node = recorded({ wallet: developer(gone, 0), apiUrl, gatewayUrl })
    await node.start()
    await until(
      () => node.state.status === 'waiting' && node.snapshot().api.status === 'unreachable',
      'it knows',
    )
    expect(node.state.why).toMatch(/^waiting for the API to say which token is native/)
    expect(node.snapshot()).toMatchObject({ balance: null, height: null })
    await using _network = await startNetwork({
      apiPort: Number(new URL(apiUrl).port),
      gatewayPort: Number(new URL(gatewayUrl).port),
    })
    await until(() => isMining(node)() && node.snapshot().balance !== null, 'it mines')
  })

  it('no API at all: it mines all the same', async () => {
    const network = shared
    await using node = recorded({ wallet: developer(network, 0), gatewayUrl: network.gatewayUrl })
    await node.start()
    await until(isMining(node), 'it mines')
    expect(node.snapshot().api.status).toBe('unused')
  })

  it('the API alone absent: it mines, says so apart, and shows no value it did not read', async () => {
    const network = shared
    const apiUrl = 'http://127.0.0.1:9/api/v1'
    await using node = recorded({
      wallet: developer(network, 3),
      apiUrl,
      gatewayUrl: network.gatewayUrl,
      tokenId: network.tokens.native.id,
    })
    await node.start()
    await until(() => isMining(node)() && node.snapshot().api.status === 'unreachable', 'it mines and knows')
    expect(node.state.why).toBe('')
    expect(node.snapshot()).toMatchObject({ balance: null, height: null, rewards: [] })
    expect(node.all('balanceChanged')).toEqual([])
  })

  it('a listener that throws harms nobody and is reported', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    await using node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    for (const event of names) {
      node.on(event, () => {
        throw new Error(`thrown in ${event}`)
      })
      node.on(event, () => Promise.reject(new Error(`rejected in ${event}`)))
    }
    node.subscribe(() => {
      throw new Error('thrown in subscribe')
    })
    await node.start()
    await until(() => node.all('rewarded').length > 0, 'it earned')
    expect(node.all('failed').some(({ error }) => error.code === 'LISTENER_FAILED')).toBe(true)
  })

  it('a cut right after a publication is no refusal yet, and mining resumes', async () => {
    // The fallback miner mines what was lost with the link: the same microblock is not signed twice.
    await using network = await startNetwork({ fallbackMiner: true })
    const { apiUrl, gatewayUrl } = network
    await using node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await node.start()
    await until(isMining(node), 'it mines')
    network.gateway.disconnect(node.address)
    await until(() => node.all('disconnected').length > 0, 'it was cut off')
    const reason = { kind: 'connectionClosed', isAfterPublication: true }
    expect(node.all('disconnected')).toMatchObject([{ reason }])
    await until(isMining(node), 'it mines again')
  })

  it('a probe is not answered', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    await using node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await node.start()
    await until(isMining(node), 'it mines')
    expect(network.gateway.sendProbe(node.address)).toBe(true)
    await until(
      () => node.all('beaconRefused').some(({ refusal }) => refusal === 'noTransactions'),
      'it refused',
    )
    await pause(300)
    expect(node.state.status).toBe('mining')
  })
})

describe('the life of a node', () => {
  const wallet = walletFromPrivateKey(sha256Hex('life'))
  const codeOf = async (act: () => unknown): Promise<string> => {
    try {
      await act()
    } catch (error) {
      return (error as { code: string }).code
    }
    return 'nothing was thrown'
  }

  it('refuses a bad referral code, address or token when it is made', async () => {
    const gatewayUrl = 'ws://127.0.0.1:1'
    const referralAgent = `ref_${'00'.repeat(33)}`
    expect(await codeOf(() => createMiningNode({ wallet, gatewayUrl, referralAgent }))).toBe(
      'REFERRAL_CODE_INVALID',
    )
    expect(await codeOf(() => createMiningNode({ wallet, gatewayUrl, referralAgent: '' }))).toBe(
      'REFERRAL_CODE_INVALID',
    )
    expect(await codeOf(() => createMiningNode({ wallet, gatewayUrl, referralAgent: '02ab' }))).toBe(
      'ADDRESS_MALFORMED',
    )
    expect(await codeOf(() => createMiningNode({ wallet, gatewayUrl, tokenId: 'ENQ' }))).toBe(
      'TOKEN_ID_MALFORMED',
    )
  })

  it.each([undefined, 'http://127.0.0.1', 'nonsense', 'ws://user:secret@127.0.0.1'])(
    'does not start with the gateway %s, and says so without repeating secrets',
    async (gatewayUrl) => {
      const node = createMiningNode({ wallet, gatewayUrl })
      const error = await node.start().then(
        () => null,
        (caught: unknown) => caught,
      )
      expect(error).toMatchObject({ code: 'CONFIGURATION_INVALID', facts: { path: 'gatewayUrl' } })
      expect(String(error)).not.toContain('secret')
      expect(node.state.status).toBe('idle')
    },
  )

  it('may be stopped at any time, more than once, and started again', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    const node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await node.stop()
    await node.start()
    await Promise.all([node.stop(), node.stop()])
    expect(node.state).toMatchObject({ status: 'stopped', reason: 'requested' })
    await node.start()
    await node.start()
    await until(isMining(node), 'it mines')
    expect(node.all('started')).toHaveLength(2)
    await node.stop()
    const isOnline = () => network.gateway.minersOnline().some(({ address }) => address === node.address)
    await until(() => !isOnline(), 'the gateway saw it go')
  })

  it('reads a state that goes with the event, inside its listener', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    await using node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    const seen = new Map<MiningEvent, string>()
    for (const event of ['hailed', 'published', 'disconnected', 'stopped'] as const) {
      node.on(event, () => seen.set(event, node.state.status))
    }
    await node.start()
    await until(isMining(node), 'it mines')
    network.gateway.disconnect(node.address)
    await until(() => seen.has('disconnected'), 'it was cut off')
    await node.stop()
    expect([...seen.entries()].sort()).toEqual([
      ['disconnected', 'waiting'],
      ['hailed', 'waitingForBeacon'],
      ['published', 'mining'],
      ['stopped', 'stopped'],
    ])
  })

  it('may be stopped from inside a listener', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    const node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    let isStopped = false
    node.on('rewarded', async () => {
      await node.stop()
      isStopped = true
    })
    await node.start()
    await until(() => isStopped, 'it stopped')
    expect(node.state.status).toBe('stopped')
  })

  it('watches without mining', async () => {
    const network = shared
    const { apiUrl, gatewayUrl } = network
    await using node = recorded({ wallet: developer(network, 0), apiUrl, gatewayUrl })
    await node.watch()
    await until(() => node.snapshot().balance !== null && node.snapshot().height !== null, 'it saw')
    expect(node.state.status).toBe('idle')
    expect(network.gateway.minersOnline()).not.toContainEqual({ address: node.address })
  })
})

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createClient, type Network, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { type Beacon, parseServerMessage, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import {
  type LeaderSignature,
  type MasterPublicKey,
  masterPublicKeyOf,
  signLeaderMessage,
} from '@hailstone/protocol/leader'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as browser from '../src/browser.ts'
import { openNodeChannel } from '../src/node/open-node-channel.ts'
import { openLeaderThread, verifyLeader } from '../src/node/verify-leader.ts'
import { createMiningNode } from '../src/node.ts'
import { LEADER_MISSING, LEADER_REFUSAL, LEADER_UNVERIFIED } from '../src/session/beacon-verdict.ts'
import {
  type LeaderQuestion,
  leaderQuestion,
  sharedLeaderChecks,
  type VerifyLeader,
} from '../src/session/leader-check.ts'
import { createLeaderVerifier, type OpenLeaderThread } from '../src/session/leader-thread.ts'
import { verifyLeaderHere } from '../src/session/verify-leader-here.ts'
import { makeBeacon } from './beacons.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const MASTER_SECRET = 20_251_121n
const wallet = walletFromPrivateKey(sha256Hex('miner'))

const scalarOf = (text: string): bigint => BigInt(`0x${sha256Hex(text)}`)

type Signed = { readonly text: string; readonly hash: string; readonly beacon: Beacon }

/** A beacon with the signature of a leader of whatever secret, or with any other member in its place. */
function signedBeacon(nonce: number, leader: bigint | LeaderSignature): Signed {
  const { hash, text } = makeBeacon({ publisher: wallet.address, nonce })
  const wire = JSON.parse(text)
  const statement = {
    leaderId: wire.data.leader_id,
    keyBlockHash: wire.data.mblock_data.kblocks_hash,
    microblockHash: hash,
    nonce: wire.data.mblock_data.nonce,
  }
  const signature =
    typeof leader === 'bigint'
      ? signLeaderMessage({ masterSecret: leader, randomScalar: scalarOf(`beacon ${nonce}`), statement })
      : leader
  wire.data.leader_sign = signature
  const signed = JSON.stringify(wire)
  const message = parseServerMessage(signed)
  if (message.kind !== 'beacon') throw new Error(`the beacon cannot be read: ${message.kind}`)
  return { text: signed, hash, beacon: message.beacon }
}

let masterPublicKey: MasterPublicKey
let honest: Signed
let forged: Signed

beforeAll(() => {
  masterPublicKey = masterPublicKeyOf(MASTER_SECRET)
  honest = signedBeacon(1, MASTER_SECRET)
  forged = signedBeacon(2, MASTER_SECRET + 1n)
})

function questionOf({ beacon }: Signed): LeaderQuestion {
  const question = leaderQuestion(beacon, masterPublicKey)
  if (question === null) throw new Error('the beacon carries no signature')
  return question
}

const networkOf = (parameters: Partial<Network> & Pick<Network, 'gatewayUrl'>): Network => ({
  name: 'led',
  apiUrl: 'http://127.0.0.1:1/api/v1',
  nativeTokenId: ZERO_TOKEN_ID,
  nativeSymbol: 'DEV',
  nativeDecimals: 10,
  masterPublicKey,
  ...parameters,
})

const never = (): (() => void) => () => undefined

describe('S-2: where a network names its master key', () => {
  it('G1: a beacon is signed when its leader signed it, and refused with a reason when somebody else did', async () => {
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({ wallet, network: networkOf({ gatewayUrl: gateway.url }) })
    const refused: unknown[] = []
    node.on('beaconRefused', (refusal) => refused.push(refusal))
    await node.start()
    const socket = await gateway.hailed()
    socket.send(forged.text)
    await until(() => refused.length === 1, 'the forged beacon is refused')
    socket.send(honest.text)
    await until(() => gateway.publications().length === 1, 'the honest beacon is answered')

    expect(refused).toEqual([
      { microblockHash: forged.hash, refusal: LEADER_REFUSAL, why: 'leader signature not valid' },
    ])
    expect(gateway.publications().map(({ data }) => data.microblockHash)).toEqual([honest.hash])
    expect(node.snapshot().leaderCheck).toEqual({ status: 'on', refused: 1 })
  })

  it('a signature of the leader over another beacon, and invalid points, are refused', async () => {
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({ wallet, network: networkOf({ gatewayUrl: gateway.url }) })
    let refused = 0
    node.on('beaconRefused', () => refused++)
    await node.start()
    const socket = await gateway.hailed()
    const swapped = questionOf(honest).signature
    const nowhere = { r: { x: ['1', '2'], y: ['3', '4'] }, s: { x: ['5'], y: ['6'] } }
    for (const [at, signature] of [swapped, nowhere].entries()) {
      socket.send(signedBeacon(10 + at, signature).text)
      await until(() => refused === at + 1, 'the beacon is refused')
    }
    expect(gateway.publications()).toEqual([])
    expect(node.snapshot().lastRefusal?.refusal).toBe(LEADER_REFUSAL)
  })

  it('a beacon without a signature is signed, as those of the current networks are', async () => {
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({ wallet, network: networkOf({ gatewayUrl: gateway.url }) })
    await node.start()
    const socket = await gateway.hailed()
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 3 }).text)
    await until(() => gateway.publications().length === 1, 'it is answered')
    expect(node.snapshot().leaderCheck).toEqual({ status: 'on, unsigned accepted', refused: 0 })
  })

  it('one without a signature is refused once a signed one came, in a later session too', async () => {
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({ wallet, network: networkOf({ gatewayUrl: gateway.url }) })
    const refused: string[] = []
    node.on('beaconRefused', ({ refusal }) => refused.push(refusal))
    await node.start()
    const socket = await gateway.hailed()
    // A forged signature proves nothing about the network.
    socket.send(forged.text)
    await until(() => refused.length === 1, 'the forged beacon is refused')
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 30 }).text)
    await until(() => gateway.publications().length === 1, 'one without a signature is still signed')
    socket.send(honest.text)
    await until(() => gateway.publications().length === 2, 'the signed one is signed')
    expect(node.snapshot().leaderCheck.status).toBe('on')
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 31 }).text)
    await until(() => refused.length === 2, 'the next one without is refused')
    await node.stop()
    await node.start()
    const again = await gateway.hailed(2)
    again.send(makeBeacon({ publisher: wallet.address, nonce: 32 }).text)
    await until(() => refused.length === 3, 'after a restart of the session too')
    expect(refused).toEqual([LEADER_REFUSAL, LEADER_MISSING, LEADER_MISSING])
    expect(gateway.publications()).toHaveLength(2)
    expect(node.snapshot().leaderCheck).toEqual({ status: 'on', refused: 3 })
  })

  it('none without a signature is signed where signatures are required, and the gateway is left', async () => {
    await using gateway = await startScriptedGateway()
    const network = networkOf({ gatewayUrl: gateway.url })
    await using node = createMiningNode({ wallet, network, requireLeaderSignature: true })
    const left: string[] = []
    let refused = 0
    node.on('beaconRefused', () => refused++)
    node.on('disconnected', ({ why }) => left.push(why))
    expect(node.snapshot().leaderCheck.status).toBe('on')
    await node.start()
    const socket = await gateway.hailed()
    for (let nonce = 1; nonce <= 6; nonce++) {
      socket.send(makeBeacon({ publisher: wallet.address, nonce }).text)
      await until(() => refused === nonce, 'the beacon is refused')
    }
    await until(() => left.length > 0, 'the gateway is left')
    expect(left[0]).toContain('leader signature missing')
    expect(gateway.publications()).toEqual([])
  })

  it('signatures cannot be required where none can be verified', () => {
    const gatewayUrl = 'ws://127.0.0.1:1'
    const make = (more: object) => () =>
      createMiningNode({ wallet, requireLeaderSignature: true, gatewayUrl, ...more })
    const code = expect.objectContaining({ code: 'CONFIGURATION_INVALID' })
    expect(make({})).toThrow(code)
    expect(make({ network: networkOf({ gatewayUrl }), dangerouslySkipLeaderCheck: true })).toThrow(code)
  })

  it('the network that is named counts, whatever the client was made of', async () => {
    await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1' })
    const network = networkOf({ gatewayUrl: 'ws://127.0.0.1:1' })
    const statusOf = (settings: { readonly network?: Network }) =>
      createMiningNode({ wallet, client, ...settings }).snapshot().leaderCheck.status
    expect([statusOf({}), statusOf({ network })]).toEqual(['noKey', 'on, unsigned accepted'])
  })

  it('a key that only the client knows counts as well: nothing turns the check off unnoticed', async () => {
    const gatewayUrl = 'ws://127.0.0.1:1'
    await using client = createClient({ network: networkOf({ gatewayUrl }) })
    const network = networkOf({ gatewayUrl, masterPublicKey: undefined })
    const { leaderCheck } = createMiningNode({ wallet, client, network }).snapshot()
    expect(leaderCheck.status).toBe('on, unsigned accepted')
  })

  it('turning the check off takes an option by its name, and is warned of', async () => {
    await using gateway = await startScriptedGateway()
    const network = networkOf({ gatewayUrl: gateway.url })
    await using node = createMiningNode({ wallet, network, dangerouslySkipLeaderCheck: true })
    await node.start()
    const socket = await gateway.hailed()
    socket.send(forged.text)
    await until(() => gateway.publications().length === 1, 'the forged beacon is answered')
    expect(node.snapshot().leaderCheck.status).toBe('off')
    expect(node.snapshot().warnings.map(({ code }) => code)).toContain('LEADER_CHECK_OFF')
  })

  it('G1: a gateway that goes on with forged beacons is left', async () => {
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({ wallet, network: networkOf({ gatewayUrl: gateway.url }) })
    const left: string[] = []
    let refused = 0
    node.on('beaconRefused', () => refused++)
    node.on('disconnected', ({ reason }) => left.push(reason.kind))
    await node.start()
    const socket = await gateway.hailed()
    for (const nonce of [21, 22, 23]) {
      socket.send(signedBeacon(nonce, MASTER_SECRET + 7n).text)
      await until(() => refused === nonce - 20, 'the beacon is refused')
    }
    await until(() => left.length > 0, 'the gateway is left')
    expect(left).toEqual(['gatewayMisbehaves'])
  })
})

describe('S-2: in a browser, where a verifier is passed in', () => {
  const settingsOf = (gatewayUrl: string) => ({
    wallet,
    network: networkOf({ gatewayUrl }),
    openChannel: openNodeChannel,
  })

  it('a node without one signs no beacon that carries a signature, says what to pass, and stays', async () => {
    await using gateway = await startScriptedGateway()
    await using node = browser.createMiningNode(settingsOf(gateway.url))
    const refused: string[] = []
    node.on('beaconRefused', ({ refusal }) => refused.push(refusal))
    await node.start()
    expect(node.snapshot().leaderCheck).toEqual({ status: 'noVerifier', refused: 0 })
    expect(node.snapshot().warnings.map(({ code }) => code)).toContain('LEADER_CHECK_MISSING')
    const socket = await gateway.hailed()
    for (let count = 1; count <= 8; count++) {
      socket.send(honest.text)
      await until(() => refused.length === count, 'it is refused')
    }
    expect(new Set(refused)).toEqual(new Set([LEADER_UNVERIFIED]))
    const unsigned = makeBeacon({ publisher: wallet.address, nonce: 4 })
    socket.send(unsigned.text)
    await until(
      () => gateway.publications().length === 1,
      'what carries none is answered, on the same socket',
    )
    expect(gateway.publications().map(({ data }) => data.microblockHash)).toEqual([unsigned.hash])
    expect(node.snapshot().leaderCheck).toEqual({ status: 'noVerifier', refused: 0 })
  })

  it('one that fails has not agreed, and the next beacon is looked at', async () => {
    await using gateway = await startScriptedGateway()
    const verifyLeader = () => Promise.reject(new Error('its code did not load'))
    await using node = browser.createMiningNode({ ...settingsOf(gateway.url), verifyLeader })
    const refused: string[] = []
    node.on('beaconRefused', ({ refusal }) => refused.push(refusal))
    await node.start()
    const socket = await gateway.hailed()
    socket.send(honest.text)
    await until(() => refused.length === 1, 'it is refused')
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 5 }).text)
    await until(() => gateway.publications().length === 1, 'what carries no signature is answered')
    expect(refused).toEqual([LEADER_REFUSAL])
  })

  it('a node and a session with one take what the leader signed, and nothing else', async () => {
    for (const kind of ['node', 'session'] as const) {
      await using gateway = await startScriptedGateway()
      const settings = { ...settingsOf(gateway.url), verifyLeader }
      await using miner =
        kind === 'node' ? browser.createMiningNode(settings) : browser.createMiningSession(settings)
      await miner.start()
      const socket = await gateway.hailed()
      socket.send(forged.text)
      socket.send(honest.text)
      await until(() => gateway.publications().length === 1, 'the honest beacon is answered')
      expect(gateway.publications().map(({ data }) => data.microblockHash)).toEqual([honest.hash])
    }
  })

  it('a session without one signs no beacon that carries a signature', async () => {
    await using gateway = await startScriptedGateway()
    const refused: string[] = []
    await using session = browser.createMiningSession({
      ...settingsOf(gateway.url),
      onEvent: (event) => event.type === 'beaconRefused' && refused.push(event.refusal),
    })
    session.start()
    const socket = await gateway.hailed()
    socket.send(honest.text)
    await until(() => refused.length === 1, 'it is refused')
    expect(refused).toEqual([LEADER_UNVERIFIED])
    expect(gateway.publications()).toEqual([])
  })
})

it('G16: an API of another network is an obstacle: the node holds back and says so', async () => {
  await using network = await startLocalNetwork({ seed: 'other', blockTimeMs: 500 })
  const { apiUrl, gatewayUrl } = network
  const named = networkOf({ apiUrl, gatewayUrl, originHash: 'ANOTHERGENESIS' })
  await using node = createMiningNode({ wallet, network: named, pollIntervalMs: 100 })
  const codes: string[] = []
  node.on('failed', ({ error }) => codes.push(error.code))
  await node.start()
  await until(() => node.state.status === 'waiting', 'it holds back')
  await until(() => codes.length > 0, 'it says so')
  const why = `holding back: the API at ${new URL(apiUrl).host} belongs to another network`
  expect(node.state).toMatchObject({ status: 'waiting', reason: { kind: 'anotherNetwork' }, why })
  expect(codes).toContain('NETWORK_MISMATCH')
})

describe('the thread that verifies', () => {
  it('answers in the order of asking', async () => {
    const verify = createLeaderVerifier({
      openThread: openLeaderThread(),
      verifyHere: () => Promise.reject(new Error('the thread does it')),
      later: never,
    })
    const answers = await Promise.all([forged, honest, forged].map((one) => verify(questionOf(one))))
    expect(answers).toEqual([false, true, false])
  })

  it('P2: is replaced when it dies, and what it was asked is asked of the next', async () => {
    let opened = 0
    const dyingOnce: OpenLeaderThread = (handlers) => {
      opened++
      if (opened > 1) return openLeaderThread()(handlers)
      return { ask: () => queueMicrotask(handlers.ended), end: () => undefined }
    }
    const verify = createLeaderVerifier({
      openThread: dyingOnce,
      verifyHere: () => Promise.reject(new Error('the thread does it')),
      later: never,
    })
    expect(await verify(questionOf(honest))).toBe(true)
    expect(opened).toBe(2)
  })

  it('P2: is done without where there can be none', async () => {
    const nowhere = new URL('./no-such-file.js', import.meta.url)
    const verify = createLeaderVerifier({
      openThread: openLeaderThread(nowhere),
      verifyHere: verifyLeaderHere,
      later: never,
    })
    expect(await Promise.all([honest, forged].map((one) => verify(questionOf(one))))).toEqual([true, false])
  })

  it('is ended when nobody asks', async () => {
    let rest: () => void = () => undefined
    let ended = 0
    const verify = createLeaderVerifier({
      openThread: ({ answered }) => ({
        ask: () => queueMicrotask(() => answered(true)),
        end: () => ended++,
      }),
      verifyHere: verifyLeaderHere,
      later: (_, callback) => {
        rest = callback
        return () => undefined
      },
    })
    await verify(questionOf(honest))
    rest()
    expect(ended).toBe(1)
  })
})

it('L4: many miners with the same question cause one check, and another question another', async () => {
  let asked = 0
  const counting: VerifyLeader = async () => ++asked > 0
  const verify = sharedLeaderChecks(counting)
  await Promise.all(Array.from({ length: 1_000 }, () => verify({ ...questionOf(honest) })))
  expect(asked).toBe(1)
  await verify({ ...questionOf(honest), leaderId: '2' })
  expect(asked).toBe(2)
})

describe('the build for browsers', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  let out = ''

  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'hailstone-leader-'))
    const files = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: {
        outDir: out,
        emptyOutDir: false,
        minify: false,
        target: 'es2022',
        rollupOptions: {
          input: {
            entry: join(folder, 'dist', 'browser.js'),
            leader: join(folder, 'dist', 'leader', 'browser.js'),
          },
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: '[name].js' },
        },
      },
    })
    expect(files).toBeDefined()
  })

  afterAll(() => rm(out, { recursive: true, force: true }))

  it('S-2: has a worker of its own that verifies, and no arithmetic in what a page loads', async () => {
    const names = await readdir(join(out, 'assets'))
    const worker = names.find((name) => name.startsWith('leader-worker'))
    expect(worker, names.join()).toBeDefined()
    // The generator of the pairing's second group is in no other place.
    const generator =
      '1971424652593645857677685913504949042673180456464917721388355467732670356866868453718540344482523620218083146279366045128738893020712321933640175997249379n'
    for (const file of ['entry.js', 'leader.js'])
      expect(await readFile(join(out, file), 'utf8')).not.toContain(generator)
    // What passes no verifier brings none and loads nothing later.
    expect(await readFile(join(out, 'entry.js'), 'utf8')).not.toMatch(/leader-worker|import\(/)
    expect(await readFile(join(out, 'leader.js'), 'utf8')).toContain(String(worker))
    expect(await readFile(join(out, 'assets', String(worker)), 'utf8')).toContain(generator)

    const answers = await askWorker(join(out, 'assets', String(worker)), [honest, forged].map(questionOf))
    expect(answers).toEqual([true, false])
  })
})

/** Runs a module of a page's worker on a thread that has the names such a worker has. */
async function askWorker(path: string, questions: readonly LeaderQuestion[]): Promise<readonly unknown[]> {
  const code = `
    import { parentPort } from 'node:worker_threads'
    globalThis.postMessage = (answer) => parentPort.postMessage(answer)
    await import(${JSON.stringify(pathToFileURL(path).href)})
    parentPort.on('message', (data) => globalThis.onmessage({ data }))
  `
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  try {
    const answers: unknown[] = []
    await new Promise<void>((resolve, reject) => {
      thread.on('error', reject)
      thread.on('message', (answer) => {
        answers.push(answer)
        if (answers.length === questions.length) resolve()
      })
      for (const question of questions) thread.postMessage(question)
    })
    return answers
  } finally {
    await thread.terminate()
  }
}

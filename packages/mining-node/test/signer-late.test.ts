import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Wallet, walletFromPrivateKey } from '@hailstone/client'
import {
  type Hail,
  keystoreError,
  looksLikeSignature,
  type Publication,
  publicationText,
  sha256Hex,
  verifyText,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createMiningNode, createMiningSession, type SessionEvent } from '../src/node.ts'
import type { MiningSigner } from '../src/signer/index.ts'
import { makeBeacon } from './beacons.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts'
import { pause, until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('late signer'))
const stranger = walletFromPrivateKey(sha256Hex('stranger'))

type Request = { readonly kind: 'hail' | 'publication'; readonly parameters: never }

/** A signing server: its key is in another part of the program, behind HTTP. */
type RemoteSigner = AsyncDisposable & {
  readonly signer: MiningSigner
  readonly asked: readonly Request[]
  readonly maxAtOnce: () => number
  /** Called before each answer. Replaced by the tests. */
  before: (request: Request) => Promise<void> | void
  /** Key that signs. */
  key: Wallet
  /** Changes the answer on its way. */
  forge: (answer: Record<string, unknown>) => unknown
  /** Breaks every request that is there or comes. */
  isDead: boolean
}

async function startRemoteSigner(): Promise<RemoteSigner> {
  const asked: Request[] = []
  let atOnce = 0
  let max = 0
  const server: Server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (remote.isDead) return void request.socket.destroy()
    const given = JSON.parse(text) as Request
    asked.push(given)
    atOnce++
    max = Math.max(max, atOnce)
    try {
      await remote.before(given)
      const { key } = remote
      const answer =
        given.kind === 'hail' ? key.signHail(given.parameters) : key.signPublication(given.parameters)
      if (remote.isDead) request.socket.destroy()
      else response.end(JSON.stringify(remote.forge({ ...answer })))
    } catch {
      response.writeHead(403).end()
    } finally {
      atOnce--
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function ask<T>(kind: Request['kind'], parameters: object): Promise<T> {
    const body = JSON.stringify({ kind, parameters })
    const response = await fetch(url, { method: 'POST', body }).catch((cause: unknown) => {
      throw keystoreError('SIGNER_FAILED', { reason: 'the signing server is away' }, { cause })
    })
    if (!response.ok) throw new Error(`refused; the password is hunter2`)
    return (await response.json()) as T
  }
  const remote: RemoteSigner = {
    signer: {
      address: wallet.address,
      signHail: (parameters) => ask<Hail>('hail', parameters),
      signPublication: (parameters) => ask<Publication>('publication', parameters),
    },
    asked,
    maxAtOnce: () => max,
    before: () => undefined,
    key: wallet,
    forge: (answer) => answer,
    isDead: false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return remote
}

function startSession(
  gateway: ScriptedGateway,
  signer: MiningSigner,
  { signingTimeoutMs, clock }: { readonly signingTimeoutMs?: number; readonly clock?: ManualClock } = {},
) {
  const events: SessionEvent[] = []
  const session = createMiningNode({
    wallet: signer,
    gatewayUrl: gateway.url,
    signingTimeoutMs,
    randomness: () => 0.1,
    ...(clock === undefined ? {} : { clock }),
  })
  session.on('disconnected', (given) => events.push({ type: 'disconnected', ...given }))
  session.on('beaconRefused', (given) => events.push({ type: 'beaconRefused', ...given }))
  session.on('stopped', (given) => events.push({ type: 'stopped', ...given }))
  return Object.assign(session, { events, [Symbol.asyncDispose]: session.close })
}

const refusedIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'beaconRefused' ? [event.refusal] : []))
const publishedAt = (gateway: ScriptedGateway) =>
  gateway.publications().map(({ data }) => String(data.microblockHash))
const beacon = (nonce: number) => makeBeacon({ publisher: wallet.address, nonce })

/** Waits while the time of the test runs: a beacon is checked a little after it came. */
const untilPassing = (clock: ManualClock, holds: () => boolean, what: string): Promise<void> =>
  until(() => {
    clock.advance(1)
    return holds()
  }, what)

/** Lets the waits between attempts pass until something has happened. Limits of an attempt pass too, slowly. */
const untilTried = (
  node: ReturnType<typeof startSession>,
  clock: ManualClock,
  holds: () => boolean,
  what: string,
): Promise<void> =>
  until(() => {
    const { state } = node.snapshot()
    clock.advance(state.status === 'waiting' ? 1_000 : 2)
    return holds()
  }, what)

describe('a signer behind HTTP', () => {
  it('mines when it is slow, one signature at a time; of beacons that come meanwhile the newest waits', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    await using node = startSession(gateway, remote.signer)
    await node.start()
    const socket = await gateway.hailed()
    const answers: (() => void)[] = []
    remote.before = () => new Promise<void>((resolve) => answers.push(resolve))
    const [first, second, third] = [beacon(1), beacon(2), beacon(3)]
    socket.send(first.text)
    await until(() => answers.length === 1, 'the first one is being signed')
    socket.send(second.text)
    socket.send(third.text)
    await until(() => refusedIn(node.events).length === 1, 'the second one gave way to the third')
    answers[0]?.()
    await until(() => answers.length === 2, 'the newest is being signed')
    answers[1]?.()
    await until(() => gateway.publications().length === 2, 'two publications were heard')
    await pause(50)
    expect(publishedAt(gateway)).toEqual([first.hash, third.hash])
    expect(refusedIn(node.events)).toEqual(['newerBeaconCame'])
    expect(remote.maxAtOnce()).toBe(1)
    expect(remote.asked.map(({ kind }) => kind)).toEqual(['hail', 'publication', 'publication'])
    for (const { data } of gateway.publications()) {
      const text = publicationText({
        microblockHash: String(data.microblockHash),
        referralAgent: null,
        tokenId: ZERO_TOKEN_ID,
      })
      expect(verifyText({ text, signature: String(data.signature), address: wallet.address })).toBe(true)
    }
  })

  it('is asked for nothing that was not checked', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    await using node = startSession(gateway, remote.signer)
    await node.start()
    const socket = await gateway.hailed()
    const good = beacon(1)
    socket.send(good.text.replace(good.hash, sha256Hex('forged')))
    socket.send(makeBeacon({ publisher: stranger.address, nonce: 2 }).text)
    await until(() => refusedIn(node.events).length > 0, 'a beacon was refused')
    await pause(100)
    expect(remote.asked.map(({ kind }) => kind)).toEqual(['hail'])
    expect(gateway.publications()).toEqual([])
  })

  it('that never answers: the wait has a reason, and the late answer is not used', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    const clock = manualClock()
    let answer: () => void = () => undefined
    remote.before = () => new Promise<void>((resolve) => (answer = resolve))
    await using node = startSession(gateway, remote.signer, { signingTimeoutMs: 100, clock })
    await node.start()
    await until(() => remote.asked.length === 1, 'the signer was asked')
    clock.advance(99)
    expect(node.events).toEqual([])
    clock.advance(1)
    await until(() => node.events.length > 0, 'the session gave up')
    expect(node.events[0]).toMatchObject({
      type: 'disconnected',
      reason: { kind: 'signerFailed', detail: 'the signer did not answer within 100 ms' },
    })
    expect(node.snapshot().state).toMatchObject({
      why: 'not signed: the signer did not answer within 100 ms',
    })
    await node.stop()
    answer()
    await pause(100)
    expect(gateway.heard).toEqual([])
  })

  it('a publication after its time limit is not sent, and no later beacon gets its signature', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    const clock = manualClock()
    const answers: (() => void)[] = []
    await using node = startSession(gateway, remote.signer, { signingTimeoutMs: 10_000, clock })
    await node.start()
    const socket = await gateway.hailed()
    remote.before = () => new Promise<void>((resolve) => answers.push(resolve))
    const [late, next] = [beacon(1), beacon(2)]
    socket.send(late.text)
    await untilPassing(clock, () => answers.length === 1, 'the publication was asked for')
    clock.advance(10_000)
    await until(() => refusedIn(node.events).includes('notSigned'), 'the time limit passed')
    expect(node.events.at(-1)).toMatchObject({ why: 'the signer did not answer within 10000 ms' })
    socket.send(next.text)
    await untilPassing(clock, () => answers.length === 2, 'the next beacon was asked for')
    // The late answer comes while the next one is awaited.
    answers[0]?.()
    await pause(30)
    expect(publishedAt(gateway)).toEqual([])
    answers[1]?.()
    await until(() => gateway.publications().length === 1, 'one publication was heard')
    expect(publishedAt(gateway)).toEqual([next.hash])
    socket.send(late.text)
    const isRefused = () => refusedIn(node.events).includes('signedBefore')
    await untilPassing(clock, isRefused, 'it is not signed a second time')
    expect(remote.asked.filter(({ kind }) => kind === 'publication')).toHaveLength(2)
  })

  it('whose connection was left is not listened to, and its microblock is not signed again', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    await using node = startSession(gateway, remote.signer)
    await node.start()
    const socket = await gateway.hailed()
    let answer: () => void = () => undefined
    remote.before = ({ kind }) =>
      kind === 'hail' ? undefined : new Promise<void>((resolve) => (answer = resolve))
    const offer = beacon(1)
    socket.send(offer.text)
    await until(() => remote.asked.length === 2, 'the publication was asked for')
    socket.terminate()
    const again = await gateway.hailed(2)
    answer()
    again.send(offer.text)
    await until(() => refusedIn(node.events).includes('signedBefore'), 'the second offer was refused')
    expect(gateway.publications()).toEqual([])
    expect(remote.asked.filter(({ kind }) => kind === 'publication')).toHaveLength(1)
  })

  it('that dies midway and comes back mines on', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    remote.before = () => {
      remote.isDead = true
    }
    const clock = manualClock()
    await using node = startSession(gateway, remote.signer, { clock })
    await node.start()
    const failures = () => node.events.filter(({ type }) => type === 'disconnected')
    await untilTried(node, clock, () => failures().length >= 4, 'it failed more often than it may refuse')
    expect(failures()[3]).toMatchObject({ reason: { kind: 'signerFailed' } })
    expect(gateway.hails()).toEqual([])
    remote.before = () => undefined
    remote.isDead = false
    await untilTried(node, clock, () => gateway.hails().length > 0, 'it hails')
    const socket = await gateway.hailed()
    socket.send(beacon(1).text)
    await untilPassing(clock, () => gateway.publications().length === 1, 'it mines')
  })

  const forgeries: readonly [string, Partial<Pick<RemoteSigner, 'forge' | 'key' | 'before'>>][] = [
    ['of another account', { key: stranger }],
    [
      'of another message',
      {
        forge: (answer) => ({
          ...answer,
          signature: stranger.signHail({ host: 'x', tokenId: ZERO_TOKEN_ID }).signature,
        }),
      },
    ],
    ['that is malformed', { forge: (answer) => ({ ...answer, signature: 'ff' }) }],
    ['missing', { forge: () => null }],
    ['refused', { before: () => Promise.reject(new Error('no')) }],
  ]
  it.each(forgeries)(
    'a signature %s is not sent, and the third one stops with a reason',
    async (_, forgery) => {
      await using gateway = await startScriptedGateway()
      await using remote = await startRemoteSigner()
      Object.assign(remote, forgery)
      const clock = manualClock()
      await using node = startSession(gateway, remote.signer, { clock })
      await node.start()
      await untilTried(node, clock, () => node.events.some(({ type }) => type === 'stopped'), 'it stopped')
      expect(node.events.at(-1)).toMatchObject({ type: 'stopped', reason: 'signerRefused' })
      expect(remote.asked).toHaveLength(3)
      expect(gateway.heard).toEqual([])
      expect(JSON.stringify(node.events)).not.toContain('hunter2')
    },
  )

  it('a publication with a signature of another message is not sent, and mining goes on', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    await using node = startSession(gateway, remote.signer)
    await node.start()
    const socket = await gateway.hailed()
    const other = wallet.signPublication({
      microblockHash: beacon(9).hash,
      keyBlockHash: beacon(9).content.keyBlockHash,
      tokenId: ZERO_TOKEN_ID,
    })
    remote.forge = () => other
    socket.send(beacon(1).text)
    await until(() => refusedIn(node.events).includes('notSigned'), 'it was refused')
    expect(gateway.publications()).toEqual([])
    // Of an answer the signature alone is used, whatever else it says.
    remote.forge = ({ signature }) => ({
      signature,
      address: stranger.address,
      microblockHash: other.microblockHash,
    })
    const good = beacon(2)
    socket.send(good.text)
    await until(() => gateway.publications().length === 1, 'the next one was sent')
    expect(publishedAt(gateway)).toEqual([good.hash])
    expect(gateway.publications()[0]?.data.id).toBe(wallet.address)
  })

  it('stop() while it signs waits for no signature, and nothing is sent afterwards', async () => {
    await using gateway = await startScriptedGateway()
    await using remote = await startRemoteSigner()
    await using node = startSession(gateway, remote.signer)
    await node.start()
    const socket = await gateway.hailed()
    let answer: () => void = () => undefined
    remote.before = () => new Promise<void>((resolve) => (answer = resolve))
    socket.send(beacon(1).text)
    await until(() => remote.asked.length === 2, 'the publication was asked for')
    // The signer has not answered yet.
    await node.stop()
    answer()
    await pause(100)
    expect(gateway.publications()).toEqual([])
    expect(node.state.status).toBe('stopped')
  })
})

it('a copy of a wallet with functions of its own may answer later', async () => {
  await using gateway = await startScriptedGateway()
  const later: MiningSigner = {
    ...wallet,
    signHail: async (given) => wallet.signHail(given),
    signPublication: async (given) => wallet.signPublication(given),
  }
  await using node = startSession(gateway, later)
  await node.start()
  const socket = await gateway.hailed()
  socket.send(beacon(1).text)
  await until(() => gateway.publications().length === 1, 'it mines')
  const [hail, publication] = [gateway.hails()[0], gateway.publications()[0]]
  const signatures = [hail?.data.signature, publication?.data.signature]
  expect(signatures.map((text) => looksLikeSignature(String(text)))).toEqual([true, true])
})

it('a time limit outside of its range is refused', async () => {
  await using gateway = await startScriptedGateway()
  const { exportPrivateKey: _, ...bare } = wallet
  expect(() =>
    createMiningNode({ wallet: bare, gatewayUrl: gateway.url, signingTimeoutMs: Number.NaN }),
  ).toThrow(
    expect.objectContaining({
      code: 'ARGUMENT_INVALID',
      facts: { parameter: 'signingTimeoutMs', expected: 'a number of milliseconds', found: 'number NaN' },
    }),
  )
  for (const signingTimeoutMs of [0, -1, 2 ** 31]) {
    await using node = createMiningNode({ wallet: bare, gatewayUrl: gateway.url, signingTimeoutMs })
    await expect(node.start()).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'signingTimeoutMs' },
    })
  }
})

it('a signer that answers at once is sent in the same turn, after its signature was verified', async () => {
  await using gateway = await startScriptedGateway()
  const { exportPrivateKey: _, ...bare } = wallet
  const session = createMiningSession({ wallet: bare, gatewayUrl: gateway.url })
  session.start()
  const socket = await gateway.hailed()
  socket.send(beacon(1).text)
  await until(() => gateway.publications().length === 1, 'a publication was heard')
  await session.stop()
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import { walletFromPrivateKey } from '@hailstone/client'
import {
  type Address,
  DUPLICATE_KEY,
  formatPeer,
  formatRefusal,
  hailHash,
  publicationText,
  sha256Hex,
  verifyText,
  WRONG_VERSION,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { openNodeChannel } from '../src/node/open-node-channel.ts'
import { sessionClock } from '../src/session/clock.ts'
import { describeSession } from '../src/session/describe-session.ts'
import type { SessionEvent } from '../src/session/effect.ts'
import { gatewayViews } from '../src/session/gateway-views.ts'
import { type RunningSession, runSession } from '../src/session/run-session.ts'
import type { SessionSettings } from '../src/session/state.ts'
import { makeBeacon, signedPayment } from './beacons.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts'
import { pause, until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('miner'))
const agent = walletFromPrivateKey(sha256Hex('agent')).address

type Started = RunningSession &
  AsyncDisposable & { readonly events: readonly SessionEvent[]; readonly now: () => number }

function startSession(
  gatewayUrl: string,
  options: Partial<SessionSettings> & { readonly clock?: ManualClock; readonly referralAgent?: Address } = {},
): Started {
  const { clock = sessionClock(), referralAgent, onDuplicateKey = 'stop', otherGatewayUrls } = options
  const events: SessionEvent[] = []
  const session = runSession({
    settings: { gatewayUrl, otherGatewayUrls, onDuplicateKey },
    signer: wallet,
    tokenId: ZERO_TOKEN_ID,
    referralAgent,
    openChannel: openNodeChannel,
    clock,
    random: () => 0.1,
    onEvent: (event) => events.push(event),
  })
  return { ...session, events, now: clock.now, [Symbol.asyncDispose]: session.stop }
}

/** Lets the wait of a session pass that has lost its connection. */
async function passWait(session: Started, clock: ManualClock): Promise<void> {
  await until(() => session.state().status === 'waiting', 'it waits')
  const state = session.state()
  clock.advance(state.status === 'waiting' ? state.delayMs : 0)
}

const eventsOf = <T extends SessionEvent['type']>({ events }: Started, type: T) =>
  events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type)

/** Waits for publications. A beacon is checked a little after it came, so a clock of the test's own has to run. */
const heardAgain = (gateway: ScriptedGateway, count: number, clock?: ManualClock): Promise<void> =>
  until(() => {
    clock?.advance(1)
    return gateway.publications().length >= count
  }, `${count} publications were heard`)

describe('a session with an honest gateway', () => {
  it('hails with a signature over the host and without a referrer when there is none', async () => {
    await using gateway = await startScriptedGateway()
    await using _session = startSession(gateway.url)
    await gateway.hailed()
    const [hail] = gateway.hails()
    expect(hail?.hasVersion).toBe(true)
    expect(hail?.data).toEqual({
      id: wallet.address,
      token: ZERO_TOKEN_ID,
      hash: hailHash('127.0.0.1'),
      signature: expect.any(String),
      referrer: undefined,
    })
    const signed = {
      text: hailHash('127.0.0.1'),
      signature: String(hail?.data.signature),
      address: wallet.address,
    }
    expect(verifyText(signed)).toBe(true)
  })

  it('signs a beacon and only then calls itself mining', async () => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    await until(() => session.state().status === 'waitingForBeacon', 'it was hailed')
    const beacon = makeBeacon({ publisher: wallet.address, nonce: 1 })
    socket.send(beacon.text)
    await heardAgain(gateway, 1)
    const [publication] = gateway.publications()
    expect(publication?.data).toEqual({
      id: wallet.address,
      token: ZERO_TOKEN_ID,
      keyBlockHash: beacon.content.keyBlockHash,
      microblockHash: beacon.hash,
      signature: expect.any(String),
      referrer: undefined,
    })
    const text = publicationText({ microblockHash: beacon.hash, referralAgent: null, tokenId: ZERO_TOKEN_ID })
    const signature = String(publication?.data.signature)
    expect(verifyText({ text, signature, address: wallet.address })).toBe(true)
    expect(session.state()).toEqual({ status: 'mining', published: 1 })
  })

  it('names the referral agent by address and signs over it', async () => {
    await using gateway = await startScriptedGateway()
    await using _session = startSession(gateway.url, { referralAgent: agent })
    const socket = await gateway.hailed()
    const beacon = makeBeacon({ publisher: wallet.address, nonce: 1 })
    socket.send(beacon.text)
    await heardAgain(gateway, 1)
    const [publication] = gateway.publications()
    expect(publication?.data.referrer).toBe(agent)
    const text = publicationText({
      microblockHash: beacon.hash,
      referralAgent: agent,
      tokenId: ZERO_TOKEN_ID,
    })
    const signature = String(publication?.data.signature)
    expect(verifyText({ text, signature, address: wallet.address })).toBe(true)
  })

  it('finds its gateway when that comes later', async () => {
    const { port, stop } = await startScriptedGateway()
    await stop()
    const clock = manualClock()
    await using session = startSession(`ws://127.0.0.1:${port}`, { clock })
    await until(() => session.state().status === 'waiting', 'the first attempt failed')
    expect(session.state()).toMatchObject({ reason: { kind: 'gatewayUnreachable', detail: 'ECONNREFUSED' } })
    await using gateway = await startScriptedGateway({ port })
    await passWait(session, clock)
    await gateway.hailed()
  })

  it('hails again after the gateway was restarted and goes on mining', async () => {
    const first = await startScriptedGateway()
    const clock = manualClock()
    await using session = startSession(first.url, { clock })
    const socket = await first.hailed()
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 1 }).text)
    await heardAgain(first, 1, clock)
    await first.stop()
    await until(() => session.state().status === 'waiting', 'it noticed')
    await using second = await startScriptedGateway({ port: first.port })
    await passWait(session, clock)
    const again = await second.hailed()
    again.send(makeBeacon({ publisher: wallet.address, nonce: 2 }).text)
    await heardAgain(second, 1, clock)
    expect(second.hails()).toHaveLength(1)
    expect(session.state()).toEqual({ status: 'mining', published: 2 })
  })

  it('suspects its last publication when it is cut off right after it, and once more', async () => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 1 }).text)
    await heardAgain(gateway, 1)
    socket.terminate()
    await until(() => session.state().status === 'waiting', 'it noticed')
    // A gateway that restarts looks the same.
    expect(session.state()).toMatchObject({ reason: { kind: 'connectionClosed', isAfterPublication: true } })
    const second = await gateway.hailed(2)
    second.send(makeBeacon({ publisher: wallet.address, nonce: 2 }).text)
    await until(() => gateway.publications().length === 2, 'it published again')
    second.terminate()
    await until(() => session.state().status === 'waiting', 'it noticed again')
    expect(session.state()).toMatchObject({ reason: { kind: 'publicationSuspected' } })
  })
})

describe('a session with a dishonest gateway', () => {
  const stranger = walletFromPrivateKey(sha256Hex('stranger')).address
  const payment = signedPayment(7)
  const bad: readonly (readonly [name: string, text: string, refusal: string])[] = [
    [
      'a forged hash',
      makeBeacon({ publisher: wallet.address, nonce: 1, statedHash: sha256Hex('forged') }).text,
      'microblockHashDiffers',
    ],
    [
      'an empty probe',
      makeBeacon({ publisher: wallet.address, nonce: 1, transactions: [] }).text,
      'noTransactions',
    ],
    [
      'a beacon for somebody else',
      makeBeacon({ publisher: stranger, nonce: 1 }).text,
      'addressedToAnotherPublisher',
    ],
    [
      'a payment nobody signed',
      makeBeacon({
        publisher: wallet.address,
        nonce: 1,
        transactions: [{ ...payment, signature: signedPayment(8).signature }],
      }).text,
      'transactionSignatureNotValid',
    ],
  ]

  it.each(bad)('does not sign %s, says why, and goes on', async (_name, text, refusal) => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    socket.send(text)
    await until(() => eventsOf(session, 'beaconRefused').length === 1, 'it refused')
    expect(eventsOf(session, 'beaconRefused')[0]?.refusal).toBe(refusal)
    expect(session.state().status).toBe('waitingForBeacon')
    const good = makeBeacon({ publisher: wallet.address, nonce: 2 })
    socket.send(good.text)
    await heardAgain(gateway, 1)
    expect(gateway.publications().map(({ data }) => data.microblockHash)).toEqual([good.hash])
  })

  it('P1, G3: of replays it signs none, and the newest goes out once more with the same bytes after a cut', async () => {
    await using gateway = await startScriptedGateway()
    const clock = manualClock()
    await using session = startSession(gateway.url, { clock })
    const socket = await gateway.hailed()
    const { text } = makeBeacon({ publisher: wallet.address, nonce: 1 })
    socket.send(text)
    await heardAgain(gateway, 1, clock)
    // Each burst fits into what a session reads at once; time fills its allowance again.
    for (let sent = 1; sent <= 1_000; sent += 250) {
      for (let replay = 0; replay < 250; replay++) socket.send(text)
      await until(() => eventsOf(session, 'beaconReceived').length === sent + 250, 'all replays came')
      clock.advance(1_000)
    }
    socket.close(1012)
    await passWait(session, clock)
    const again = await gateway.hailed(2)
    for (let replay = 0; replay < 50; replay++) again.send(text)
    await heardAgain(gateway, 2, clock)
    again.close(1012)
    await passWait(session, clock)
    ;(await gateway.hailed(3)).send(text)
    await until(() => eventsOf(session, 'beaconReceived').length >= 1_003, 'the last replay came')
    await pause(50)
    const frames = gateway.heard.filter(({ message }) => message.kind === 'publish').map((one) => one.text)
    expect(frames).toHaveLength(2)
    expect(frames[1]).toBe(frames[0])
  })

  it('answers the newest beacon of a burst and leaves the rest', async () => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    const beacons = Array.from({ length: 30 }, (_, nonce) => makeBeacon({ publisher: wallet.address, nonce }))
    for (const { text } of beacons) socket.send(text)
    const newest = beacons.at(-1)?.hash
    await until(
      () => gateway.publications().some(({ data }) => data.microblockHash === newest),
      'it answered',
    )
    expect(gateway.publications().length).toBeLessThan(beacons.length)
    expect(eventsOf(session, 'beaconReceived')).toHaveLength(beacons.length)
  })

  it('comes through nonsense of every kind', async () => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    const nonsense = [
      '',
      'nonsense',
      'null',
      '[]',
      '5',
      '{}',
      '{"ver":"4","method":"peer"}',
      '{"ver":4}',
      '{"ver":4,"method":7}',
      '{"ver":4,"method":"__proto__","data":{}}',
      '{"__proto__":{"err":"x"},"ver":4}',
      '{"ver":4,"method":"on_leader_beacon"}',
      '{"ver":4,"method":"on_leader_beacon","data":null}',
      '{"ver":4,"method":"on_leader_beacon","data":{"mblock_data":{"txs":5}}}',
      '{"ver":4,"method":"on_leader_beacon","data":{"mblock_data":{"txs":[null]}}}',
      '{"ver":4,"method":"peer","data":{"ip":{},"port":3}}',
      '{"ver":4,"method":"peer","data":{"ip":"a b","port":3}}',
      '{"err":{}}',
      '{"err":null}',
      `{"ver":4,"err":"${'x'.repeat(10_000)}"}`,
      '\u0000',
      '['.repeat(100_000),
    ]
    for (const [at, given] of [...nonsense, new Uint8Array([1, 2, 3])].entries()) {
      socket.send(given)
      if (at % 5 !== 4) continue
      socket.send(makeBeacon({ publisher: wallet.address, nonce: at }).text)
      await until(() => eventsOf(session, 'published').length === (at + 1) / 5, 'a good one is signed')
    }
    expect(gateway.sockets).toHaveLength(1)
    expect(eventsOf(session, 'messageMalformed').length).toBeGreaterThan(10)
    expect(session.state().status).toBe('mining')
  })

  it('leaves a gateway that sends one malformed message after the other, and says what it sent', async () => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    for (let time = 0; time < 6; time++) socket.send('1'.repeat(500_000))
    await until(() => session.state().status === 'waiting', 'it left')
    expect(eventsOf(session, 'messageMalformed')).toHaveLength(6)
    expect(session.state()).toMatchObject({ reason: { kind: 'gatewayMisbehaves' } })
    expect(describeSession(session.state()).why).toMatch(/what cannot be used: .*a number is too long/)
    expect(gatewayViews(session.session(), session.now())[0]?.faults).toBeGreaterThanOrEqual(4)
  })

  it('prefers another gateway to one that sends binary frames', async () => {
    await using hostile = await startScriptedGateway()
    await using honest = await startScriptedGateway()
    await using session = startSession(hostile.url, { otherGatewayUrls: [honest.url] })
    const socket = await hostile.hailed()
    for (let time = 0; time < 6; time++) socket.send(Buffer.alloc(9))
    await honest.hailed()
    expect(gatewayViews(session.session(), session.now()).map(({ isInUse }) => isInUse)).toEqual([
      false,
      true,
    ])
  })

  it('leaves a gateway that sends a frame of five megabytes', async () => {
    await using gateway = await startScriptedGateway()
    await using session = startSession(gateway.url)
    const socket = await gateway.hailed()
    socket.send(`"${'x'.repeat(5 * 1024 * 1024)}"`)
    await until(() => session.state().status === 'waiting', 'it left')
    expect(session.state()).toMatchObject({ reason: { kind: 'frameTooLarge' } })
  })

  it('waits over a wrong protocol version, names the gateway and comes back', async () => {
    await using gateway = await startScriptedGateway()
    const clock = manualClock()
    await using session = startSession(gateway.url, { clock })
    const socket = await gateway.hailed()
    socket.send(formatRefusal(WRONG_VERSION))
    await until(() => session.state().status === 'waiting', 'it waits')
    expect(session.state()).toMatchObject({ reason: { kind: 'wrongProtocolVersion', host: '127.0.0.1' } })
    expect(describeSession(session.state()).why).toBe(
      'the gateway 127.0.0.1 speaks another version of the protocol',
    )
    clock.advance(63_000)
    await gateway.hailed(2)
  })

  it('yields the key to another device', async () => {
    await using gateway = await startScriptedGateway()
    const clock = manualClock()
    await using session = startSession(gateway.url, { clock })
    const socket = await gateway.hailed()
    socket.send(formatRefusal(DUPLICATE_KEY))
    socket.terminate()
    for (const [delayMs, hails] of [
      [63_000, 2],
      [123_000, 3],
    ] as const) {
      await until(() => session.state().status === 'waiting', 'it waits')
      expect(session.state()).toMatchObject({ reason: { kind: 'duplicateKey' }, delayMs })
      clock.advance(delayMs)
      ;(await gateway.hailed(hails)).send(formatRefusal(DUPLICATE_KEY))
    }
    await until(() => session.state().status === 'stopped', 'it stopped')
    clock.advance(3_600_000)
    await pause(50)
    expect(session.state()).toEqual({ status: 'stopped', reason: 'duplicateKey' })
    expect(gateway.sockets).toHaveLength(3)
  })

  it('comes back for a contested key after a minute when it was told to', async () => {
    await using gateway = await startScriptedGateway()
    const clock = manualClock()
    await using session = startSession(gateway.url, { clock, onDuplicateKey: 'wait' })
    const socket = await gateway.hailed()
    socket.send(formatRefusal(DUPLICATE_KEY))
    await until(() => session.state().status === 'waiting', 'it waits')
    expect(session.state()).toMatchObject({ reason: { kind: 'duplicateKey' }, delayMs: 63_000 })
    clock.advance(62_999)
    await pause(50)
    expect(gateway.sockets).toHaveLength(1)
    clock.advance(1)
    await gateway.hailed(2)
  })

  it('follows a redirect, hails there, and does not follow one for ever', async () => {
    await using first = await startScriptedGateway()
    await using second = await startScriptedGateway()
    await using session = startSession(first.url)
    const socket = await first.hailed()
    socket.send(formatPeer({ host: '127.0.0.1', port: second.port }))
    const moved = await second.hailed()
    await until(() => socket.readyState === socket.CLOSED, 'the first connection was closed')
    moved.send(formatPeer({ host: '127.0.0.1', port: first.port }))
    ;(await first.hailed(2)).send(formatPeer({ host: '127.0.0.1', port: second.port }))
    ;(await second.hailed(2)).send(formatPeer({ host: '127.0.0.1', port: first.port }))
    await until(() => session.state().status === 'waiting', 'it had enough')
    expect(session.state()).toMatchObject({ reason: { kind: 'redirectsExhausted' } })
  })
})

describe('a link that is no longer one', () => {
  it('is given up after twenty seconds without pong', async () => {
    await using gateway = await startScriptedGateway({ autoPong: false })
    const clock = manualClock()
    await using session = startSession(gateway.url, { clock })
    await gateway.hailed()
    await until(() => session.state().status === 'waitingForBeacon', 'it was hailed')
    clock.advance(13_500)
    expect(session.state().status).toBe('waitingForBeacon')
    clock.advance(4_500)
    expect(session.state()).toMatchObject({ status: 'waiting', reason: { kind: 'connectionSilent' } })
  })

  it('is kept while pongs come', async () => {
    await using gateway = await startScriptedGateway()
    const clock = manualClock()
    await using session = startSession(gateway.url, { clock })
    const socket = await gateway.hailed()
    await until(() => session.state().status === 'waitingForBeacon', 'it was hailed')
    for (let round = 0; round < 10; round++) {
      clock.advance(4_500)
      // Whoever answers this has read the pong that was sent before.
      socket.ping()
      await once(socket, 'pong')
    }
    expect(session.state().status).toBe('waitingForBeacon')
    expect(gateway.sockets).toHaveLength(1)
  })

  it('is given up after five seconds when the handshake hangs', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const clock = manualClock()
    const session = startSession(`ws://127.0.0.1:${port}`, { clock })
    clock.advance(4_999)
    expect(session.state().status).toBe('connecting')
    clock.advance(1)
    expect(session.state()).toMatchObject({ status: 'waiting', reason: { kind: 'handshakeTimeout' } })
    await session.stop()
    silent.close()
  })
})

describe('stopping a session', () => {
  it('closes the socket, may be repeated, and leaves nothing behind', async () => {
    await using gateway = await startScriptedGateway()
    const session = startSession(gateway.url)
    const socket = await gateway.hailed()
    await Promise.all([session.stop(), session.stop()])
    await until(() => socket.readyState === socket.CLOSED, 'the socket was closed')
    await session.stop()
    expect(session.state()).toEqual({ status: 'stopped', reason: 'requested' })
    await pause(100)
    expect(gateway.sockets).toHaveLength(1)
  })

  it('does not wait for a gateway that will not say goodbye', async () => {
    await using gateway = await startScriptedGateway()
    const session = startSession(gateway.url)
    const socket = await gateway.hailed()
    socket.pause()
    const begun = performance.now()
    await session.stop()
    expect(performance.now() - begun).toBeLessThan(withinMs(2_000))
    socket.resume()
  })
})

import { type Wallet, walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex, type Transaction, type VerifyText, verifyText, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { liveObjects } from '../../../scripts/live-objects.ts'
import { createMiningNode } from '../src/node.ts'
import { type SessionClock, sessionClock } from '../src/session/clock.ts'
import type { SessionEvent } from '../src/session/effect.ts'
import { type RunSessionParameters, runSession } from '../src/session/run-session.ts'
import { beaconGateway } from './beacon-gateway.ts'
import { makeBeacon, signedPayment } from './beacons.ts'
import { seeded, type VirtualClock, virtualClock } from './fleet-virtual-world.ts'
import { scriptedApi } from './scripted-api.ts'
import { steppedClock } from './stepped-clock.ts'

/** The longer sizes: HAILSTONE_BEACONS=1000000, HAILSTONE_DAYS=30 npx vitest run test/session-endurance.gate.test.ts */
const BEACONS = gateSize('HAILSTONE_BEACONS', { change: 2_000, night: 4_000 })
const DAYS = Number(process.env.HAILSTONE_DAYS ?? 1)
const HOURS_MS = 12 * 3_600_000
const DAY_MS = 86_400_000

const { address, ...keyHolder } = walletFromPrivateKey(sha256Hex('miner'))
const stranger = walletFromPrivateKey(sha256Hex('stranger')).address

/**
 * Signs without the arithmetic, which is not tested here and would take most of the time. The wallet is frozen, like
 * every wallet, so that its signatures are not verified as those of another signer are.
 */
const wallet: Wallet = Object.freeze({
  ...keyHolder,
  address,
  signHail: (given) => ({ ...given, address, hash: sha256Hex(given.host), signature: '3000' }) as never,
  signPublication: (given) => ({ ...given, address, signature: '3000' }) as never,
})

/** The few payments of these tests are verified once each. */
function cachingVerifier(): VerifyText {
  const known = new Map<string, boolean>()
  return (question) => {
    const key = JSON.stringify(question)
    const answer = known.get(key) ?? verifyText(question)
    known.set(key, answer)
    return answer
  }
}

const payments = Array.from({ length: 10 }, (_, nonce) => signedPayment(nonce))
const paymentOf = (nonce: number): Transaction => payments[nonce % payments.length] as Transaction

/** The key block makes each unlike all others. */
const honestBeacon = (nonce: number, keyBlock = `key block of ${nonce}`) =>
  makeBeacon({
    publisher: address,
    nonce,
    keyBlockHash: sha256Hex(keyBlock),
    transactions: [paymentOf(nonce)],
  })

function virtualSession({
  onEvent = () => undefined,
  timersOf = (clock) => clock,
  ...options
}: Partial<Pick<RunSessionParameters, 'onEvent' | 'minGapMs'>> & {
  /** Returns the clock of the session; that of the gateway stays. */
  readonly timersOf?: (clock: VirtualClock) => SessionClock
} = {}) {
  const clock = virtualClock()
  const gateway = beaconGateway(clock)
  const session = runSession({
    settings: { gatewayUrl: 'ws://gateway.test:3000/', onDuplicateKey: 'stop' },
    signer: wallet,
    tokenId: ZERO_TOKEN_ID,
    openChannel: gateway.openChannel,
    verify: cachingVerifier(),
    clock: timersOf(clock),
    random: seeded(5),
    onEvent,
    ...options,
  })
  clock.advance(10)
  return { clock, gateway, session }
}

it(
  `G-4: of ${BEACONS} honest beacons and as many hostile ones exactly the honest are published`,
  () => {
    const { clock, gateway } = virtualSession()
    const earlier: string[] = []
    const forgedPayment = { ...paymentOf(1), signature: paymentOf(2).signature }
    const hostile: readonly ((nonce: number, honest: string) => string)[] = [
      (_, honest) => honest,
      (nonce) => earlier[nonce % earlier.length] ?? '',
      (nonce) => makeBeacon({ publisher: address, nonce, statedHash: sha256Hex(`forged ${nonce}`) }).text,
      (nonce) => makeBeacon({ publisher: stranger, nonce, transactions: [paymentOf(nonce)] }).text,
      (nonce) => makeBeacon({ publisher: address, nonce, transactions: [] }).text,
      (nonce) => makeBeacon({ publisher: address, nonce, transactions: [forgedPayment] }).text,
      (_, honest) => honest.replace(/"amount":"?1/, (found) => `${found}0`),
    ]
    const published = (text: string): readonly unknown[] => {
      expect(gateway.offer(text)).toBe(true)
      clock.advance(5)
      return gateway.takePublications()
    }
    for (let nonce = 0; nonce < BEACONS; nonce++) {
      const { text, hash } = honestBeacon(nonce)
      const [first, ...more] = published(text)
      // One assertion for each of a million would take longer than the session.
      if (first !== hash || more.length > 0) expect([first, ...more]).toEqual([hash])
      earlier[nonce % 1_000] = text
      const bad = hostile[nonce % hostile.length]?.(nonce, text) ?? ''
      const wrong = published(bad)
      if (wrong.length > 0) expect({ nonce, bad, wrong }).toBe('nothing was published')
    }
  },
  HOURS_MS,
)

/** Delays timers to the next full minute, as browsers do in tabs that nobody has seen for five minutes. */
const wokenByTheMinute = (clock: VirtualClock): SessionClock => ({
  ...clock,
  after: (delayMs, callback) => {
    // What is due at once is a message to the page itself, which no browser delays.
    if (delayMs <= 0) return clock.after(delayMs, callback)
    const dueMs = Math.ceil((clock.now() + delayMs) / 60_000) * 60_000
    return clock.after(dueMs - clock.now(), callback)
  },
})

it.each([13, 12 * 60])(
  'A1: signs all it is offered during %i minutes in a tab whose timers run once a minute, and takes it for no sleep',
  (minutes) => {
    const events: SessionEvent[] = []
    const { clock, gateway } = virtualSession({
      onEvent: (event) => events.push(event),
      timersOf: wokenByTheMinute,
      // That of the entry for browsers.
      minGapMs: 90_000,
    })
    const wanted: string[] = []
    const published: unknown[] = []
    for (let nonce = 0; nonce < 4 * minutes; nonce++) {
      const { text, hash } = honestBeacon(nonce)
      wanted.push(hash)
      expect(gateway.offer(text)).toBe(true)
      // A second, in which no timer runs but those at full minutes.
      clock.advance(1_000)
      published.push(...gateway.takePublications())
      clock.advance(14_000)
    }
    expect(published).toEqual(wanted)
    expect(events.filter(({ type }) => type === 'disconnected')).toEqual([])
    expect(events.filter(({ type }) => type === 'connected')).toHaveLength(1)
  },
)

it(
  'G-5: signs 99.5 % of what is offered while its gateway was up for 31 s, though that is away 2 % of the time',
  () => {
    const { clock, gateway } = virtualSession()
    const chance = seeded(55)
    const lasting = (meanMs: number): number => -Math.log(1 - chance()) * meanMs
    const [days, meanDownMs] = [3 * DAYS, 60_000]
    let [offered, signed, outages, downMs] = [0, 0, 0, 0]
    let upSince = 0
    let turnAt = lasting(49 * meanDownMs)
    let isUp = true
    for (let nonce = 0; clock.now() < days * DAY_MS; ) {
      const beaconAt = (Math.floor(clock.now() / 15_000) + 1) * 15_000
      clock.advance(Math.min(turnAt, beaconAt) - clock.now())
      if (clock.now() >= turnAt) {
        isUp = !isUp
        if (isUp) gateway.comeUp()
        else gateway.goDown()
        if (isUp) upSince = clock.now()
        else outages++
        const lengthMs = lasting(isUp ? 49 * meanDownMs : meanDownMs)
        if (!isUp) downMs += lengthMs
        turnAt = clock.now() + lengthMs
      } else if (isUp) {
        const { text, hash } = honestBeacon(nonce++)
        gateway.offer(text)
        clock.advance(5)
        const isSigned = gateway.takePublications().includes(hash)
        if (clock.now() - upSince < 31_000) continue
        offered++
        if (isSigned) signed++
      }
    }
    expect(outages).toBeGreaterThan(10 * days)
    expect(downMs / clock.now()).toBeGreaterThan(0.01)
    expect(signed / offered).toBeGreaterThanOrEqual(0.995)
  },
  HOURS_MS,
)

/** The newest 65,536 signed microblocks are remembered: only from then on memory may stay where it is. */
const FULL_MEMORY = 66_000
const BLOCK_MS = 60_000

it(
  `G-14: ${DAYS} days of mining and watching take no more memory or timers than the first hour`,
  async () => {
    const clock = steppedClock()
    const gateway = beaconGateway(sessionClock(clock))
    const api = scriptedApi(address, clock)
    await using node = createMiningNode({
      wallet,
      client: api.client,
      gatewayUrl: 'ws://gateway.test:3000/',
      openChannel: gateway.openChannel,
      verify: cachingVerifier(),
      blockTimeMs: BLOCK_MS,
      pollIntervalMs: BLOCK_MS / 3,
      clock,
      randomness: seeded(14),
    })
    await node.start()
    await clock.advance(10)
    let nonce = 0
    const mine = async (ms: number, keyBlock?: string): Promise<void> => {
      gateway.offer(honestBeacon(nonce++, keyBlock).text)
      await clock.advance(ms)
      gateway.takePublications()
      api.asked.length = 0
    }
    for (let block = 0; block < FULL_MEMORY; block++) await mine(2)
    const anHour = async (): Promise<void> => {
      for (let block = 0; block < 60; block++) {
        api.height++
        api.calculatedBelow = api.height
        api.balance++
        // The API shows this key block with its next macroblock.
        await mine(BLOCK_MS, `key block ${api.height}`)
      }
      // Lost once an hour, and back.
      gateway.goDown()
      await clock.advance(BLOCK_MS / 2)
      gateway.comeUp()
      await clock.advance(BLOCK_MS / 2)
    }
    for (let hour = 0; hour < 3; hour++) await anHour()
    const before = { objects: liveObjects(), timers: clock.sleeping() }
    for (let hour = 0; hour < 24 * DAYS; hour++) await anHour()
    const after = { objects: liveObjects(), timers: clock.sleeping() }
    expect(node.snapshot().publications.published).toBe(nonce)
    expect(node.snapshot().balance).toMatchObject({ amount: api.balance, isStale: false })
    expect(after.timers).toBeLessThanOrEqual(before.timers + 1)
    // A leak adds an object for each of 60 blocks of an hour, or several for each connection; the engine adds 70 in all.
    expect(after.objects - before.objects).toBeLessThan(6 * 24 * DAYS)
  },
  HOURS_MS,
)

import type { BeaconCheck, ServerMessage } from '@hailstone/protocol'
import { DUPLICATE_KEY, WRONG_VERSION } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beaconOf, effectsOf, goodCheck, hashOf, settings } from '../../test/session-samples.ts'
import type { SessionEffect } from './effect.ts'
import type { SessionInput } from './input.ts'
import { idleSession, type Session, type SessionSettings } from './state.ts'
import { transition } from './transition.ts'

const hash = fc.integer({ min: 0, max: 5 }).map(hashOf)
const serverMessage: fc.Arbitrary<ServerMessage> = fc.oneof(
  { weight: 6, arbitrary: hash.map((name) => ({ kind: 'beacon', beacon: beaconOf(name) }) as const) },
  fc
    .constantFrom(DUPLICATE_KEY, WRONG_VERSION, 'ERR_OTHER')
    .map((code) => ({ kind: 'error', code }) as const),
  fc
    .constantFrom('203.0.113.9', '10.0.0.1', 'gateway.example')
    .map((host) => ({ kind: 'peer', host, port: 3000 }) as const),
  fc.constant({ kind: 'malformed', reason: 'nonsense' } as const),
)
const check: fc.Arbitrary<BeaconCheck> = fc.oneof(
  hash.map(goodCheck),
  hash.map((microblockHash) => ({ ok: false, refusal: 'noTransactions', microblockHash }) as const),
)

/** A step picks a kind of input and an offset to the newest connection and beacon, so that most hit. */
const step = fc.record({
  kind: fc.constantFrom(
    'opened',
    'hailed',
    'message',
    'checked',
    'published',
    'pong',
    'closed',
    'failed',
    'timer',
    'online',
    'offline',
    'resumed',
    'chainGrew',
    'publicationsIgnored',
  ),
  back: fc.constantFrom(0, 0, 0, 0, 1, 2),
  serverMessage,
  check,
  hash,
  timer: fc.constantFrom('handshake', 'reconnect', 'ping', 'quiet'),
  code: fc.constantFrom(1000, 1001, 1006, 1009, 1012),
  answer: fc.constantFrom(undefined, { status: 403, retryAfterMs: null }, { status: 503, retryAfterMs: 1e9 }),
  at: fc.nat(),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const inputOf = (session: Session, chosen: Step): SessionInput => {
  const { memory } = session
  return {
    type: chosen.kind,
    connection: memory.connection - chosen.back,
    beaconNumber: memory.newestBeacon.number - chosen.back,
    canPing: true,
    message: chosen.serverMessage,
    check: chosen.check,
    microblockHash: chosen.hash,
    code: chosen.code,
    detail: 'ECONNREFUSED',
    gapMs: 60_000,
    answer: chosen.answer,
    timer: chosen.timer,
    at: chosen.at,
    random: chosen.random,
  } as unknown as SessionInput
}

type Trace = readonly {
  readonly input: SessionInput
  readonly effects: readonly SessionEffect[]
  readonly session: Session
}[]

function traceOf(steps: readonly Step[], chosen: Partial<SessionSettings>): Trace {
  let session = idleSession({ ...settings, ...chosen })
  const trace: { input: SessionInput; effects: readonly SessionEffect[]; session: Session }[] = []
  const take = (input: SessionInput): void => {
    const [next, effects] = transition(session, input)
    session = next
    trace.push({ input, effects, session })
  }
  take({ type: 'start', at: 0, random: 0 })
  for (const chosen of steps) take(inputOf(session, chosen))
  return trace
}

const trace = fc
  .tuple(
    fc.array(step, { maxLength: 80 }),
    fc.record({
      onDuplicateKey: fc.constantFrom('stop' as const, 'wait' as const),
      otherGatewayUrls: fc.constantFrom([], ['ws://203.0.113.6:3000/', 'ws://203.0.113.7:3000/']),
      bootNodeUrls: fc.constantFrom([], [], [settings.gatewayUrl], ['ws://203.0.113.6:3000/']),
      ownRecordAt: fc.constantFrom(undefined, 0),
    }),
  )
  .map(([steps, chosen]) => traceOf(steps, chosen))

const allEffects = (of: Trace): readonly SessionEffect[] => of.flatMap(({ effects }) => effects)
const checkProperty = (holds: (of: Trace) => void): void =>
  fc.assert(fc.property(trace, holds), { numRuns: 500 })

describe('whatever happens, in whatever order', () => {
  it('a stopped session stays stopped and does nothing', () =>
    checkProperty((of) => {
      const first = of.findIndex(({ session }) => session.state.status === 'stopped')
      if (first < 0) return
      for (const { session, effects } of of.slice(first + 1)) {
        expect(session).toBe(of[first]?.session)
        expect(effects).toEqual([])
      }
    }))

  it('a microblock is published at most once on a connection, and once more on one other', () =>
    checkProperty((of) => {
      const published = new Map<string, number[]>()
      for (const { microblockHash, connection, isRepeated } of effectsOf(allEffects(of), 'publish')) {
        const before = published.get(microblockHash) ?? []
        expect(isRepeated).toBe(before.length > 0)
        expect(before).not.toContain(connection)
        published.set(microblockHash, [...before, connection])
        expect(before.length).toBeLessThan(2)
      }
    }))

  it('nothing is published but what a check of the newest beacon allowed', () =>
    checkProperty((of) => {
      for (const { input, effects } of of) {
        for (const { microblockHash } of effectsOf(effects, 'publish')) {
          expect(input).toMatchObject({ type: 'checked', check: { ok: true, microblockHash } })
        }
      }
    }))

  it('a connection is hailed at most once', () =>
    checkProperty((of) => {
      const hailed = effectsOf(allEffects(of), 'hail').map(({ connection }) => connection)
      expect(new Set(hailed).size).toBe(hailed.length)
    }))

  it('at most one connection is open at a time, and each that is left is closed', () =>
    checkProperty((of) => {
      const open = new Set<number>()
      for (const effect of allEffects(of)) {
        if (effect.type === 'open') open.add(effect.connection)
        if (effect.type === 'close') open.delete(effect.connection)
        expect(open.size).toBeLessThanOrEqual(1)
      }
      if (of.at(-1)?.session.state.status === 'stopped') expect(open.size).toBe(0)
    }))

  it('mining is only said when a signature has left on this connection', () =>
    checkProperty((of) => {
      let hasPublished = false
      for (const { input, effects, session } of of) {
        if (effectsOf(effects, 'open').length > 0) hasPublished = false
        if (input.type === 'published') hasPublished = true
        if (session.state.status === 'mining') expect(hasPublished).toBe(true)
      }
    }))

  it('a waiting session has its way back scheduled, and only one, within bounds', () =>
    checkProperty((of) => {
      for (const { effects, session } of of) {
        const scheduled = effectsOf(effects, 'schedule').filter(({ timer }) => timer === 'reconnect')
        const isLeft = effectsOf(effects, 'cancelAll').length > 0 && session.state.status === 'waiting'
        if (isLeft) expect(scheduled).toHaveLength(1)
        else expect(scheduled.length).toBeLessThanOrEqual(session.state.status === 'waiting' ? 1 : 0)
        for (const { delayMs } of scheduled) {
          expect(delayMs).toBeGreaterThanOrEqual(0)
          expect(delayMs).toBeLessThanOrEqual(990_000)
          if (session.state.status === 'waiting') expect(session.state.delayMs).toBe(delayMs)
        }
      }
    }))

  it('U2: a contested key is left alone for a minute, but for one short attempt in ten', () =>
    checkProperty((of) => {
      const short: number[] = []
      for (const { input, session } of of) {
        if (session.state.status !== 'waiting' || input.type !== 'message') continue
        const { reason, delayMs } = session.state
        if (reason.kind === 'duplicateKey') expect(delayMs).toBeGreaterThanOrEqual(60_000)
        if (reason.kind === 'ownSessionLingers') short.push(input.at)
      }
      for (const [at, next] of short.slice(1).entries())
        expect(next - (short[at] ?? 0)).toBeGreaterThan(600_000)
    }))
})

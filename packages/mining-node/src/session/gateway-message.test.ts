import { describe, expect, it } from 'vitest'
import {
  beaconOf,
  effectsOf,
  eventsOf,
  type Given,
  goodCheck,
  hailed,
  hashOf,
  message,
  mined,
  run,
  settings,
} from '../../test/session-samples.ts'
import { type BeaconVerdict, LEADER_MISSING, LEADER_REFUSAL, LEADER_UNVERIFIED } from './beacon-verdict.ts'
import { idleSession, type Session } from './state.ts'

const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one)
const malformed = message({ kind: 'malformed', reason: 'no JSON' })
const grew: Given = { type: 'chainGrew' }
const start: Given = { type: 'start' }
const [A, B] = ['ws://203.0.113.1:3000/', 'ws://203.0.113.2:3000/']
const twoGateways = (): Session => idleSession({ ...settings, gatewayUrl: A, otherGatewayUrls: [B] })

/** A beacon that came and what its check said. */
const checked = (number: number, check: (name: string) => BeaconVerdict): readonly Given[] => [
  message({ kind: 'beacon', beacon: beaconOf(hashOf(number)) }),
  { type: 'checked', connection: 1, beaconNumber: number, check: check(String(number)) },
]
const refusedFor =
  (refusal: Extract<BeaconVerdict, { ok: false }>['refusal']) =>
  (name: string): BeaconVerdict =>
    ({ ok: false, refusal, microblockHash: hashOf(name) }) as BeaconVerdict
const after = (inputs: readonly Given[], from?: Session) => run([...hailed, ...inputs], from)
const isLeft = ({ session }: { readonly session: Session }): boolean => session.state.status === 'waiting'

describe('a message', () => {
  it('before the socket is open changes nothing', () => {
    const begun = run([start]).session
    for (const input of [malformed, grew, { type: 'publicationsIgnored' } as const, ...mined('a', 1)]) {
      const { session, effects } = run([input], begun)
      expect(session).toBe(begun)
      expect(effects).toEqual([])
    }
  })

  it('is a sign of life: three pings more go unanswered before the link counts as dead', () => {
    const tick: Given = { type: 'timer', timer: 'ping' }
    const heard = after([tick, tick, tick, message({ kind: 'ignored', reason: 'later' }), tick, tick, tick])
    expect(isLeft(heard)).toBe(false)
    expect(isLeft(run([tick], heard.session))).toBe(true)
  })

  it('that cannot be read is reported; the sixth in a row is the last', () => {
    const five = after(times(5, malformed))
    expect(isLeft(five)).toBe(false)
    const { session, effects } = run([malformed], five.session)
    expect(session.state).toMatchObject({
      status: 'waiting',
      reason: { kind: 'gatewayMisbehaves', why: 'no JSON' },
    })
    expect(effects[0]).toEqual({ type: 'emit', event: { type: 'messageMalformed', reason: 'no JSON' } })
    expect(effects).toContainEqual({ type: 'close', connection: 1, code: 1000 })
    expect(eventsOf(effects).at(-1)).toMatchObject({ type: 'disconnected' })
  })
})

describe('a beacon', () => {
  it('is reported and checked; the first one supersedes none', () => {
    const beacon = beaconOf(hashOf('a'))
    const { effects } = run([message({ kind: 'beacon', beacon })], after([]).session)
    expect(effects).toEqual([
      {
        type: 'emit',
        event: {
          type: 'beaconReceived',
          microblockHash: hashOf('a'),
          keyBlockHash: beacon.content.keyBlockHash,
          transactionCount: 0,
        },
      },
      { type: 'check', connection: 1, beaconNumber: 1, beacon },
    ])
  })

  it.each(['noTransactions', LEADER_UNVERIFIED] as const)(
    'that is refused for "%s" is no fault',
    (refusal) => {
      const inputs = Array.from({ length: 20 }, (_, index) => checked(index + 1, refusedFor(refusal))).flat()
      const { session, effects } = after(inputs)
      expect(session.state.status).toBe('waitingForBeacon')
      expect(session.memory.badMessages).toBe(0)
      expect(eventsOf(effects).filter(({ type }) => type === 'beaconRefused')).toHaveLength(20)
    },
  )

  it.each([
    ['forged', LEADER_REFUSAL, 'leader signature not valid', 3],
    ['without its signature', LEADER_MISSING, 'leader signature missing', 6],
  ] as const)('that is %s counts, and the gateway is left after so many', (_, refusal, why, limit) => {
    const upTo = (count: number) =>
      after(Array.from({ length: count }, (__, index) => checked(index + 1, refusedFor(refusal))).flat())
    expect(isLeft(upTo(limit - 1))).toBe(false)
    const { session, effects } = upTo(limit)
    expect(session.state).toMatchObject({ reason: { kind: 'gatewayMisbehaves', why } })
    expect(eventsOf(effects)).toContainEqual({
      type: 'beaconRefused',
      microblockHash: hashOf(limit),
      refusal,
      why,
    })
  })

  it('that is good forgives what was bad before it, and redirects', () => {
    const { session } = after([...times(5, malformed), ...checked(1, (name) => goodCheck(hashOf(name)))])
    expect(session.memory).toMatchObject({ badMessages: 0, redirects: 0, failures: 0 })
    expect(isLeft(run(times(5, malformed), session))).toBe(false)
    expect(isLeft(run(times(6, malformed), session))).toBe(true)
  })

  it('that is good takes a tenth of a fault from its gateway and lets the others be tried again', () => {
    const failed = (connection: number): Given => ({ type: 'failed', connection, detail: 'ECONNREFUSED' })
    const reconnect: Given = { type: 'timer', timer: 'reconnect' }
    const back: readonly Given[] = [start, failed(1), reconnect, failed(3), reconnect]
    const { session } = run(back, twoGateways())
    const { connection, gatewayUrl } = session.memory
    const opened: readonly Given[] = [
      { type: 'opened', connection, canPing: true },
      { type: 'hailed', connection },
      ...mined('a', 1, connection),
    ]
    const scores = run(opened, session).session.memory.gateways
    expect(scores.map(({ url }) => url)).toEqual([A, B])
    for (const { url, faults, isTried } of scores) {
      expect(faults).toBeCloseTo(url === gatewayUrl ? 0.9 : 1, 10)
      expect(isTried).toBe(url === gatewayUrl)
    }
  })
})

describe('a publication', () => {
  it('is reported with the key block that was checked, and ninety seconds without the next are quiet', () => {
    const { session, effects } = run(mined('a', 1).slice(2), after(mined('a', 1).slice(0, 2)).session)
    expect(effects).toEqual([
      { type: 'schedule', timer: 'quiet', delayMs: 90_000 },
      {
        type: 'emit',
        event: { type: 'published', microblockHash: hashOf('a'), keyBlockHash: hashOf('key block') },
      },
    ])
    expect(session.state).toEqual({ status: 'mining', published: 1 })
  })

  it('is not missed by whoever does not mine', () => {
    const { session } = after([{ type: 'timer', timer: 'quiet', at: 95_000 }])
    expect(session.state).toEqual({ status: 'waitingForBeacon', since: 0 })
  })
})

describe('macroblocks of others without a beacon', () => {
  it('are borne for three times the usual number', () => {
    expect(isLeft(after(times(42, grew)))).toBe(false)
    expect(after(times(43, grew)).session.state).toMatchObject({
      status: 'waiting',
      reason: { kind: 'gatewaySilent', macroblocks: 43 },
    })
  })

  it('are borne for eight where they are rare', () => {
    const often = Array.from({ length: 30 }, (_, index) => checked(index + 1, refusedFor('noTransactions')))
    const { session } = after(often.flat())
    expect(session.memory.usualQuietMacroblocks).toBeLessThan(1)
    expect(isLeft(run(times(8, grew), session))).toBe(false)
    expect(isLeft(run(times(9, grew), session))).toBe(true)
  })

  it('are counted anew from each beacon, and what is usual follows slowly', () => {
    const { session } = after([...times(4, grew), ...checked(1, refusedFor('noTransactions'))])
    expect(session.memory.quietMacroblocks).toBe(0)
    expect(session.memory.usualQuietMacroblocks).toBeCloseTo(0.8 * 14 + 0.2 * 4, 10)
    expect(run([grew], session).session.memory.quietMacroblocks).toBe(1)
  })
})

describe('publications that are not included', () => {
  const ignored: Given = { type: 'publicationsIgnored' }

  it('are borne where there is one gateway', () => {
    const { session } = after([])
    expect(run([ignored], session).session).toBe(session)
  })

  it('end the connection where there is another', () => {
    const { session, effects } = after([ignored], twoGateways())
    expect(session.state).toMatchObject({ status: 'waiting', reason: { kind: 'publicationsIgnored' } })
    expect(effectsOf(effects, 'close')).toHaveLength(1)
  })
})

describe('a redirect', () => {
  const peer = (connection: number): Given =>
    message({ kind: 'peer', host: '203.0.113.9', port: 3000 }, connection)

  it('closes the connection it came on, is reported, and opens the next', () => {
    const { effects } = run([peer(1)], after([]).session)
    expect(effects).toEqual([
      { type: 'cancelAll' },
      { type: 'close', connection: 1, code: 1000 },
      { type: 'emit', event: { type: 'redirected', url: 'ws://203.0.113.9:3000/' } },
      { type: 'open', connection: 2, url: 'ws://203.0.113.9:3000/' },
      { type: 'schedule', timer: 'handshake', delayMs: 5_000 },
    ])
  })

  it('is followed three times in a row, and again after a good beacon', () => {
    const follow = (connection: number): readonly Given[] => [
      { type: 'opened', connection, canPing: true },
      { type: 'hailed', connection },
      peer(connection),
    ]
    const led = run([start, ...follow(1), ...follow(2), ...follow(3)])
    expect(effectsOf(led.effects, 'open').map(({ connection }) => connection)).toEqual([1, 2, 3, 4])
    const opened: readonly Given[] = [
      { type: 'opened', connection: 4, canPing: true },
      { type: 'hailed', connection: 4 },
    ]
    expect(isLeft(run([...opened, peer(4)], led.session))).toBe(true)
    const honest = run([...opened, ...mined('a', 1, 4), peer(4), ...follow(5), ...follow(6)], led.session)
    expect(honest.session.state).toMatchObject({ status: 'connecting' })
  })
})

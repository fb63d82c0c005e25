import { DUPLICATE_KEY, WRONG_VERSION } from '@hailstone/protocol'
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
import { QUIET_AFTER_MS } from './limits.ts'
import { idleSession, type Session } from './state.ts'

const beacon = (name: string) => message({ kind: 'beacon', beacon: beaconOf(hashOf(name)) })
const peer = (host: string, connection: number) => message({ kind: 'peer', host, port: 3000 }, connection)

describe('connecting', () => {
  it('opens the gateway and gives the handshake five seconds', () => {
    const { session, effects } = run([{ type: 'start' }])
    expect(session.state).toEqual({ status: 'connecting', attempt: 1 })
    expect(effects).toEqual([
      { type: 'open', connection: 1, url: settings.gatewayUrl },
      { type: 'schedule', timer: 'handshake', delayMs: 5000 },
    ])
  })

  it('hails once, however often the socket says that it is open', () => {
    const { session, effects } = run([...hailed, { type: 'opened', connection: 1, canPing: true }])
    expect(effectsOf(effects, 'hail')).toEqual([{ type: 'hail', connection: 1, url: settings.gatewayUrl }])
    expect(session.state).toEqual({ status: 'waitingForBeacon', since: 0 })
  })

  it('is not waiting for a beacon before the hail has left', () => {
    const { session } = run(hailed.slice(0, 2))
    expect(session.state.status).toBe('connecting')
  })

  it('waits and tries again when nobody answers', () => {
    const { session, effects } = run([
      { type: 'start' },
      { type: 'failed', connection: 1, detail: 'ECONNREFUSED' },
    ])
    expect(session.state).toEqual({
      status: 'waiting',
      attempt: 2,
      delayMs: 2500,
      reason: { kind: 'gatewayUnreachable', detail: 'ECONNREFUSED', url: settings.gatewayUrl },
    })
    expect(effectsOf(effects, 'schedule').at(-1)).toEqual({
      type: 'schedule',
      timer: 'reconnect',
      delayMs: 2500,
    })
    const again = run([{ type: 'timer', timer: 'reconnect' }], session)
    expect(again.session.state).toEqual({ status: 'connecting', attempt: 2 })
  })

  it('leaves a gateway that accepts and never answers the handshake', () => {
    const { session, effects } = run([{ type: 'start' }, { type: 'timer', timer: 'handshake' }])
    expect(session.state).toMatchObject({ status: 'waiting', reason: { kind: 'handshakeTimeout' } })
    expect(effectsOf(effects, 'close')).toEqual([{ type: 'close', connection: 1, code: 1000 }])
  })

  it('ignores what a connection reports after it was left', () => {
    const left = run([{ type: 'start' }, { type: 'timer', timer: 'handshake' }]).session
    const late = run(
      [
        { type: 'opened', connection: 1, canPing: true },
        { type: 'closed', connection: 1, code: 1006 },
      ],
      left,
    )
    expect(late.session).toBe(left)
    expect(late.effects).toEqual([])
  })
})

describe('mining', () => {
  it('is only said after a signature has left', () => {
    const asked = run([...hailed, beacon('a')])
    expect(asked.session.state.status).toBe('waitingForBeacon')
    const checked = run(
      [{ type: 'checked', connection: 1, beaconNumber: 1, check: goodCheck(hashOf('a')) }],
      asked.session,
    )
    expect(checked.session.state.status).toBe('waitingForBeacon')
    expect(effectsOf(checked.effects, 'publish')).toHaveLength(1)
    const sent = run(mined('a', 1).slice(2), checked.session)
    expect(sent.session.state).toEqual({ status: 'mining', published: 1 })
  })

  it('counts since the session began, and waits for a beacon anew on each connection', () => {
    const first = run([...hailed, ...mined('a', 1), { type: 'closed', connection: 1, code: 1001 }]).session
    const second = run(
      [
        { type: 'timer', timer: 'reconnect' },
        { type: 'opened', connection: 3, canPing: true },
        { type: 'hailed', connection: 3 },
      ],
      first,
    ).session
    expect(second.state.status).toBe('waitingForBeacon')
    expect(run(mined('b', 2, 3), second).session.state).toEqual({ status: 'mining', published: 2 })
  })

  it('does not sign a beacon that failed its check', () => {
    const { effects } = run([
      ...hailed,
      beacon('a'),
      {
        type: 'checked',
        connection: 1,
        beaconNumber: 1,
        check: { ok: false, refusal: 'noTransactions', microblockHash: hashOf('a') },
      },
    ])
    expect(effectsOf(effects, 'publish')).toEqual([])
    expect(eventsOf(effects).at(-1)).toEqual({
      type: 'beaconRefused',
      microblockHash: hashOf('a'),
      refusal: 'noTransactions',
      why: 'no transactions',
    })
  })

  const again = (connection: number, beaconNumber: number) =>
    [
      { type: 'timer', timer: 'reconnect' },
      { type: 'opened', connection, canPing: true },
      { type: 'hailed', connection },
      message({ kind: 'beacon', beacon: beaconOf(hashOf('a')) }, connection),
      { type: 'checked', connection, beaconNumber, check: goodCheck(hashOf('a')) },
    ] as const

  it('P1: sends a microblock once more when its beacon comes again on a new connection, and never a third time', () => {
    const { session, effects } = run([
      ...hailed,
      ...mined('a', 1),
      { type: 'closed', connection: 1, code: 1001 },
      ...again(3, 2),
      ...mined('a', 2, 3).slice(2),
      { type: 'closed', connection: 3, code: 1001 },
      ...again(5, 3),
    ])
    expect(effectsOf(effects, 'publish').map(({ isRepeated }) => isRepeated)).toEqual([false, true])
    expect(eventsOf(effects).at(-1)).toMatchObject({ type: 'beaconRefused', refusal: 'signedBefore' })
    expect(session.state.status).toBe('waitingForBeacon')
  })

  it('P1: does not repeat a publication on the connection it went out on', () => {
    const { effects } = run([...hailed, ...mined('a', 1), ...mined('a', 2).slice(0, 2)])
    expect(effectsOf(effects, 'publish')).toHaveLength(1)
  })

  it('G3: repeats nothing but the newest publication, however old beacons are replayed', () => {
    const { effects } = run([
      ...hailed,
      ...mined('a', 1),
      ...mined('b', 2),
      { type: 'closed', connection: 1, code: 1001 },
      ...again(3, 3),
    ])
    expect(effectsOf(effects, 'publish')).toHaveLength(2)
    expect(eventsOf(effects).at(-1)).toMatchObject({ type: 'beaconRefused', refusal: 'signedBefore' })
  })

  it('answers only the newest beacon and says so of the older', () => {
    const { effects } = run([
      ...hailed,
      beacon('old'),
      beacon('new'),
      { type: 'checked', connection: 1, beaconNumber: 1, check: goodCheck(hashOf('old')) },
      { type: 'checked', connection: 1, beaconNumber: 2, check: goodCheck(hashOf('new')) },
    ])
    expect(effectsOf(effects, 'publish').map(({ microblockHash }) => microblockHash)).toEqual([hashOf('new')])
    expect(eventsOf(effects)).toContainEqual({
      type: 'beaconRefused',
      microblockHash: hashOf('old'),
      refusal: 'newerBeaconCame',
      why: 'newer beacon came',
    })
  })

  it('no longer calls itself mining when no beacon came for ninety seconds', () => {
    const { session } = run([...hailed, ...mined('a', 1), { type: 'timer', timer: 'quiet', at: 95_000 }])
    expect(session.state).toEqual({ status: 'waitingForBeacon', since: 95_000 - QUIET_AFTER_MS })
  })
})

describe('what a gateway says', () => {
  it('waits a minute and longer each time over a wrong protocol version, until a beacon is good', () => {
    const refused = (connection: number, from: Session): Session =>
      run([message({ kind: 'error', code: WRONG_VERSION }, connection)], from).session
    const reopened = (connection: number, from: Session): Session => {
      const inputs: readonly Given[] = [
        { type: 'timer', timer: 'reconnect' },
        { type: 'opened', connection, canPing: true },
        { type: 'hailed', connection },
      ]
      return run(inputs, from).session
    }
    const delayOf = ({ state }: Session) => (state.status === 'waiting' ? state.delayMs : state.status)
    const first = refused(1, run(hailed).session)
    expect(first.state).toMatchObject({
      status: 'waiting',
      reason: { kind: 'wrongProtocolVersion', host: '203.0.113.5' },
    })
    const second = refused(3, reopened(3, first))
    expect([delayOf(first), delayOf(second)]).toEqual([75_000, 135_000])
    const good = run(mined('a', 1, 5), reopened(5, second)).session
    expect(delayOf(refused(5, good))).toBe(75_000)
  })

  it('waits a minute and longer each time when told to share the key', () => {
    let session = idleSession({ ...settings, onDuplicateKey: 'wait' })
    const delays: number[] = []
    session = run([{ type: 'start' }], session).session
    for (let connection = 1; connection <= 9; connection += 2) {
      const turn = run(
        [
          { type: 'opened', connection, canPing: true },
          { type: 'hailed', connection },
          message({ kind: 'error', code: DUPLICATE_KEY }, connection),
        ],
        session,
      )
      if (turn.session.state.status === 'waiting') delays.push(turn.session.state.delayMs)
      session = run([{ type: 'timer', timer: 'reconnect' }], turn.session).session
    }
    expect(delays).toEqual([75_000, 135_000, 255_000, 495_000, 975_000])
  })

  it('keeps the session over other errors and malformed messages, and reports them', () => {
    const { session, effects } = run([
      ...hailed,
      message({ kind: 'error', code: 'ERR_WRONG_LOW_STAKE' }),
      message({ kind: 'malformed', reason: 'beacon: txs is absent' }),
      message({ kind: 'ignored', reason: 'unknown method' }),
    ])
    expect(session.state.status).toBe('waitingForBeacon')
    expect(eventsOf(effects).slice(-2)).toEqual([
      { type: 'gatewayErred', code: 'ERR_WRONG_LOW_STAKE' },
      { type: 'messageMalformed', reason: 'beacon: txs is absent' },
    ])
  })

  it('a word and the close right after it are one event, and no reason to hail soon', () => {
    let session = run(hailed).session
    const waits: unknown[] = []
    for (let times = 0; times < 4; times += 1) {
      const { connection } = session.memory
      const opening = times === 0 ? [] : ([{ type: 'opened', connection, canPing: true }] as const)
      const turn = run(
        [
          ...opening,
          message({ kind: 'error', code: 'ERR_WRONG_LOW_STAKE' }, connection),
          { type: 'closed', connection, code: 1006 },
        ],
        session,
      )
      expect(eventsOf(turn.effects).filter(({ type }) => type !== 'connected')).toMatchObject([
        { type: 'disconnected', reason: { kind: 'stakeTooLow', detail: expect.stringContaining('stake') } },
      ])
      waits.push(turn.session.state.status === 'waiting' && turn.session.state.delayMs >= 60_000)
      session = run([{ type: 'timer', timer: 'reconnect' }], turn.session).session
    }
    expect(waits).toEqual([true, true, true, true])
  })

  it.each([
    ['a word before the close', [message({ kind: 'error', code: 'ERR_NOBODY_KNOWS' })], undefined, 'closed'],
    [
      'a word before the link breaks',
      [message({ kind: 'error', code: 'ERR_NOBODY_KNOWS' })],
      undefined,
      'failed',
    ],
    ['a word in the close', [], 'ERR_NOBODY_KNOWS', 'closed'],
  ] as const)('shows an unknown word as it is: %s', (_, words, reason, type) => {
    const end =
      type === 'closed'
        ? ({ type, connection: 1, code: 1006, reason } as const)
        : ({ type, connection: 1, detail: 'ECONNRESET' } as const)
    const { session, effects } = run([...hailed, ...words, end])
    expect(session.state).toMatchObject({
      reason: { kind: 'connectionClosed', code: 1006, said: 'ERR_NOBODY_KNOWS' },
    })
    expect(session.state.status === 'waiting' && session.state.delayMs).toBeGreaterThanOrEqual(60_000)
    expect(eventsOf(effects).map((event) => event.type)).not.toContain('gatewayErred')
  })

  it('reports a word that no close follows, and forgets it', () => {
    const { session, effects } = run([
      ...hailed,
      message({ kind: 'error', code: 'ERR_NOBODY_KNOWS' }),
      { type: 'timer', timer: 'said' },
      { type: 'closed', connection: 1, code: 1006 },
    ])
    expect(eventsOf(effects)).toContainEqual({ type: 'gatewayErred', code: 'ERR_NOBODY_KNOWS' })
    expect(session.state).toMatchObject({ reason: { kind: 'connectionClosed', code: 1006 } })
  })

  it('follows a redirect at once and hails there', () => {
    const { session, effects } = run([
      ...hailed,
      peer('203.0.113.9', 1),
      { type: 'opened', connection: 2, canPing: true },
    ])
    expect(session.state.status).toBe('connecting')
    expect(effectsOf(effects, 'hail').map(({ url }) => url)).toEqual([
      settings.gatewayUrl,
      'ws://203.0.113.9:3000/',
    ])
  })

  it('follows three redirects in a row and then returns to the configured gateway', () => {
    const inputs = [1, 2, 3, 4].flatMap((connection) => [
      { type: 'opened', connection, canPing: true } as const,
      peer('203.0.113.9', connection),
    ])
    const { session } = run([{ type: 'start' }, ...inputs])
    expect(session.state).toMatchObject({ status: 'waiting', reason: { kind: 'redirectsExhausted' } })
    const { effects } = run([{ type: 'timer', timer: 'reconnect' }], session)
    expect(effects[0]).toMatchObject({ type: 'open', url: settings.gatewayUrl })
  })

  it('stays where it is when a redirect is refused', () => {
    const { session, effects } = run([...hailed, peer('192.168.1.1', 1)])
    expect(session.state.status).toBe('waitingForBeacon')
    expect(eventsOf(effects).at(-1)?.type).toBe('redirectRefused')
    expect(effectsOf(effects, 'close')).toEqual([])
  })
})

describe('losing the connection', () => {
  const cut = (at: number, code: number) =>
    run([...hailed, ...mined('a', 1), { type: 'closed', connection: 1, code, at }]).session.state

  it('suspects the last publication when it is cut off right after it', () => {
    const reason = { kind: 'connectionClosed', isAfterPublication: true }
    expect(cut(9_999, 1006)).toMatchObject({ reason })
  })

  it('suspects nothing later, or when the gateway said goodbye', () => {
    expect(cut(10_000, 1006)).toMatchObject({ reason: { kind: 'connectionClosed', code: 1006 } })
    expect(cut(500, 1012)).toMatchObject({ reason: { kind: 'connectionClosed', code: 1012 } })
  })

  it('counts failures until a valid beacon, not until the socket opens', () => {
    const accepted = run([...hailed, { type: 'closed', connection: 1, code: 1006 }]).session
    const again = run(
      [
        { type: 'timer', timer: 'reconnect' },
        { type: 'opened', connection: 3, canPing: true },
        { type: 'hailed', connection: 3 },
        { type: 'closed', connection: 3, code: 1006 },
      ],
      accepted,
    ).session
    expect(again.state).toMatchObject({ attempt: 3, delayMs: 3000 })
    const healed = run(
      [
        { type: 'timer', timer: 'reconnect' },
        { type: 'opened', connection: 5, canPing: true },
        { type: 'hailed', connection: 5 },
        ...mined('a', 1, 5),
        { type: 'closed', connection: 5, code: 1001 },
      ],
      again,
    ).session
    expect(healed.state).toMatchObject({ attempt: 2, delayMs: 2500 })
  })

  it('calls a link dead when three pings in a row were not answered', () => {
    const tick = { type: 'timer', timer: 'ping' } as const
    const { session, effects } = run([...hailed, tick, tick, tick])
    expect(session.state.status).toBe('waitingForBeacon')
    expect(effectsOf(effects, 'ping')).toHaveLength(3)
    expect(run([tick], session).session.state).toMatchObject({ reason: { kind: 'connectionSilent' } })
    const heard = run([{ type: 'pong', connection: 1 }, tick], session)
    expect(heard.session.state.status).toBe('waitingForBeacon')
  })

  it('sends no pings where the platform cannot', () => {
    const { effects } = run([{ type: 'start' }, { type: 'opened', connection: 1, canPing: false }])
    expect(effectsOf(effects, 'schedule').map(({ timer }) => timer)).toEqual(['handshake'])
  })
})

describe('stopping', () => {
  it('closes, ends every timer and stays stopped', () => {
    const { session, effects } = run([...hailed, { type: 'stop' }])
    expect(session.state).toEqual({ status: 'stopped', reason: 'requested' })
    expect(effects.slice(-3)).toEqual([
      { type: 'cancelAll' },
      { type: 'close', connection: 1, code: 1000 },
      { type: 'emit', event: { type: 'stopped', reason: 'requested' } },
    ])
    const later = run([{ type: 'start' }, { type: 'timer', timer: 'reconnect' }, { type: 'stop' }], session)
    expect(later.session).toBe(session)
    expect(later.effects).toEqual([])
  })
})

import { DUPLICATE_KEY, LOW_STAKE } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import {
  effectsOf,
  eventsOf,
  type Given,
  hailed,
  message,
  mined,
  run,
  settings,
} from '../../test/session-samples.ts'
import { type HoldReason, idleSession, type Session } from './state.ts'

const [A, B] = ['ws://203.0.113.1:3000/', 'ws://203.0.113.2:3000/']
const twoGateways = (): Session => idleSession({ ...settings, gatewayUrl: A, otherGatewayUrls: [B] })
const after = (inputs: readonly Given[], from?: Session) => run([...hailed, ...inputs], from)
const start: Given = { type: 'start' }
const reconnect: Given = { type: 'timer', timer: 'reconnect' }
const tick: Given = { type: 'timer', timer: 'ping' }
const opened = (connection: number, at = 0): readonly Given[] => [
  { type: 'opened', connection, canPing: true, at },
  { type: 'hailed', connection, at },
]
const stateAfter = (inputs: readonly Given[], from?: Session) => run(inputs, from).session.state
const duplicate = (connection: number, at: number): Given => ({
  ...message({ kind: 'error', code: DUPLICATE_KEY }, connection),
  at,
})

describe('an attempt', () => {
  it('opens the gateway that chance names, and gives the handshake five seconds', () => {
    for (const [random, url] of [
      [0, A],
      [0.4, A],
      [0.6, B],
    ] as const) {
      const { session, effects } = run([{ ...start, random }], twoGateways())
      expect(effects).toEqual([
        { type: 'open', connection: 1, url },
        { type: 'schedule', timer: 'handshake', delayMs: 5_000 },
      ])
      expect(session.memory).toMatchObject({ connection: 1, url, gatewayUrl: url, isOpen: false })
      expect(session.memory.gateways.map(({ isTried }) => isTried)).toEqual([url === A, url === B])
    }
  })

  it('forgets of the last connection what was only true of it', () => {
    const before = after([
      tick,
      ...mined('a', 1),
      message({ kind: 'malformed', reason: 'x' }),
      { type: 'closed', connection: 1, code: 1001 },
      reconnect,
    ]).session.memory
    expect(before).toMatchObject({
      connection: 3,
      unansweredPings: 0,
      lastPublishedAt: null,
      badMessages: 0,
      isOpen: false,
      newestBeacon: { number: 1, microblockHash: null },
    })
  })

  it('hails at once, reports it, and pings every four and a half seconds', () => {
    const { session, effects } = run(
      [{ type: 'opened', connection: 1, canPing: true, at: 7 }],
      run([start]).session,
    )
    expect(effects).toEqual([
      { type: 'emit', event: { type: 'connected', url: settings.gatewayUrl } },
      { type: 'hail', connection: 1, url: settings.gatewayUrl },
      { type: 'schedule', timer: 'ping', delayMs: 4_500 },
    ])
    expect(session.memory).toMatchObject({ isOpen: true, openedAt: 7 })
    const hailedNow = run([{ type: 'hailed', connection: 1, at: 9 }], session)
    expect(hailedNow.session.state).toEqual({ status: 'waitingForBeacon', since: 9 })
    expect(hailedNow.effects).toEqual([{ type: 'emit', event: { type: 'hailed', url: settings.gatewayUrl } }])
    expect(run([{ type: 'hailed', connection: 1 }], hailedNow.session).effects).toEqual([])
    expect(run([{ type: 'hailed', connection: 1 }], run([start]).session).effects).toEqual([])
  })

  it('is not ended by the timer of its handshake once it is open', () => {
    const open = run([start, { type: 'opened', connection: 1, canPing: true }]).session
    expect(run([{ type: 'timer', timer: 'handshake' }], open).session).toBe(open)
  })

  it('begins anew only from a wait', () => {
    const mining = after([]).session
    expect(run([reconnect, start], mining).session).toBe(mining)
    expect(run([reconnect], idleSession(settings)).effects).toEqual([])
  })
})

describe('pings', () => {
  it('go on while they are answered, each four and a half seconds after the last', () => {
    const { effects, session } = run([tick], after([]).session)
    expect(effects).toEqual([
      { type: 'ping', connection: 1 },
      { type: 'schedule', timer: 'ping', delayMs: 4_500 },
    ])
    expect(session.memory.unansweredPings).toBe(1)
    expect(run([{ type: 'pong', connection: 1 }], session).session.memory.unansweredPings).toBe(0)
  })

  it('are not sent where no socket is open', () => {
    const begun = run([start]).session
    expect(run([tick], begun).session).toBe(begun)
  })
})

describe('what a lost connection is called', () => {
  const closed = (code: number, at = 0): Given => ({ type: 'closed', connection: 1, code, at })
  const reasonOf = (inputs: readonly Given[]) => {
    const state = stateAfter(inputs)
    return state.status === 'waiting' ? state.reason : state
  }

  it('by its code and by what came before it', () => {
    expect(reasonOf([start, closed(1006)])).toEqual({
      kind: 'gatewayUnreachable',
      url: expect.stringMatching(/^wss?:/),
      detail: 'closed with code 1006',
    })
    expect(reasonOf([...hailed, closed(1009)])).toEqual({ kind: 'frameTooLarge' })
    expect(reasonOf([...hailed, closed(1006)])).toEqual({ kind: 'connectionClosed', code: 1006 })
    const cut = (at: number) => reasonOf([...hailed, ...mined('a', 1), closed(1006, at)])
    expect(cut(9_999)).toEqual({ kind: 'connectionClosed', code: 1006, isAfterPublication: true })
    expect(cut(10_000)).toEqual({ kind: 'connectionClosed', code: 1006 })
    expect(reasonOf([...hailed, ...mined('a', 1), closed(1001, 1)])).toEqual({
      kind: 'connectionClosed',
      code: 1001,
    })
  })

  it.each([
    [1006, 0.5],
    [1009, 3],
  ])('closed with %i it counts %f against the gateway', (code, faults) => {
    const { gateways } = after([closed(code)]).session.memory
    expect(gateways.map((one) => one.faults)).toEqual([faults])
  })

  it('nothing is held against a gateway for a device without a network', () => {
    const { memory, state } = after([{ type: 'offline' }]).session
    expect(memory.gateways[0]?.faults).toBe(0)
    expect(state.status).toBe('waiting')
  })

  it('three faults are held against one that redirects without end, two against one that refuses', () => {
    const peers = [1, 2, 3, 4].flatMap((connection): readonly Given[] => [
      { type: 'opened', connection, canPing: true },
      message({ kind: 'peer', host: '203.0.113.9', port: 3000 }, connection),
    ])
    expect(run([start, ...peers]).session.memory.gateways[0]?.faults).toBe(3)
    const answer = { status: 403, retryAfterMs: null }
    const refused = run([start, { type: 'failed', connection: 1, detail: 'x', answer }])
    expect(refused.session.memory.gateways[0]?.faults).toBe(2)
    const unreachable = run([start, { type: 'failed', connection: 1, detail: 'x' }])
    expect(unreachable.session.memory.gateways[0]?.faults).toBe(1)
  })

  it.each([1001, 1012, 1013])('is no word that came before a restart: closed with %i', (code) => {
    for (const said of ['ERR_OF_NEXT_YEAR', LOW_STAKE]) {
      const word = message({ kind: 'error', code: said })
      const { session } = run([...hailed, word, closed(code)])
      expect(session.state).toMatchObject({ status: 'waiting', reason: { kind: 'connectionClosed', code } })
      expect(session.state).not.toHaveProperty('reason.said')
      // Neither is the next connection, which heard nothing, told of it.
      const { connection } = run([reconnect], session).session.memory
      const lost = stateAfter(
        [
          reconnect,
          { type: 'opened', connection, canPing: true },
          { type: 'closed', connection, code: 1006 },
        ],
        session,
      )
      expect(lost).toMatchObject({ reason: { kind: 'connectionClosed', code: 1006 } })
      expect(lost).not.toHaveProperty('reason.said')
      // Any other end is the answer that the word announced.
      expect(run([...hailed, word, closed(1000)]).session.state).toMatchObject(
        said === LOW_STAKE ? { reason: { kind: 'stakeTooLow' } } : { reason: { said, code: 1000 } },
      )
    }
  })

  it('is reported with the wait, and closes what was open', () => {
    const { effects } = run([closed(1001)], after([]).session)
    expect(effects).toEqual([
      { type: 'cancelAll' },
      { type: 'close', connection: 1, code: 1000 },
      { type: 'schedule', timer: 'reconnect', delayMs: 2_500 },
      {
        type: 'emit',
        event: {
          type: 'disconnected',
          reason: { kind: 'connectionClosed', code: 1001 },
          delayMs: 2_500,
        },
      },
    ])
  })
})

describe('the wait for the next connection', () => {
  const waitOf = (inputs: readonly Given[], from?: Session) => {
    const { state } = run(inputs, from).session
    return state.status === 'waiting' ? { attempt: state.attempt, delayMs: state.delayMs } : state
  }
  const failed = (connection: number, answer?: { status: number; retryAfterMs: number | null }): Given => ({
    type: 'failed',
    connection,
    detail: 'ECONNREFUSED',
    ...(answer && { answer }),
  })

  it('is short to a gateway that was not tried yet, and grows when all were', () => {
    expect(waitOf([start, failed(1)], twoGateways())).toEqual({ attempt: 2, delayMs: 750 })
    expect(waitOf([start, failed(1), reconnect, failed(3)], twoGateways())).toEqual({
      attempt: 3,
      delayMs: 2_500,
    })
    const third = [start, failed(1), reconnect, failed(3), reconnect, failed(5)]
    expect(waitOf(third, twoGateways())).toEqual({ attempt: 4, delayMs: 750 })
    expect(waitOf([...third, reconnect, failed(7)], twoGateways())).toEqual({ attempt: 5, delayMs: 3_000 })
  })

  it('begins anew after a connection that lasted a minute', () => {
    const lost = (at: number) => [
      start,
      failed(1),
      reconnect,
      failed(3),
      reconnect,
      ...opened(5),
      { type: 'closed', connection: 5, code: 1001, at } as const,
    ]
    expect(waitOf(lost(59_999))).toEqual({ attempt: 4, delayMs: 5_000 })
    expect(waitOf(lost(60_000))).toEqual({ attempt: 2, delayMs: 2_500 })
  })

  it('is a minute or two after a refusal that does not pass, and as asked after one that does', () => {
    const refusal = (status: number, retryAfterMs: number | null = null) =>
      waitOf([start, failed(1, { status, retryAfterMs })])
    for (const status of [400, 401, 403, 404, 426, 499])
      expect(refusal(status)).toMatchObject({ delayMs: 90_000 })
    for (const status of [301, 399, 408, 425, 429, 500, 503])
      expect(refusal(status)).toMatchObject({ delayMs: 2_500 })
    expect(refusal(503, 20_000)).toMatchObject({ delayMs: 22_500 })
    expect(refusal(404, 20_000)).toMatchObject({ delayMs: 90_000 })
  })

  it('leaves a gateway alone for as long as it asked, where there is another', () => {
    const asked = run([start, failed(1, { status: 503, retryAfterMs: 60_000 })], twoGateways()).session
    const [one, other] = asked.memory.gateways
    const blocked = [one, other].filter((score) => (score?.blockedUntil ?? 0) > 0)
    expect(blocked.map((score) => score?.blockedUntil)).toEqual([62_500])
    expect(asked.memory.gatewayUrl).not.toBe(blocked[0]?.url)
  })

  it('is that of the gateway that is asked next, not of the one that refused', () => {
    const refusal = { status: 403, retryAfterMs: null }
    const later = (given: Given): Given => ({ ...given, at: 200_000 })
    const turnedAway = run([start, failed(1, refusal)], twoGateways()).session
    const { gatewayUrl } = turnedAway.memory
    const inputs = [reconnect, failed(3), ...[reconnect, failed(5), reconnect, failed(7, refusal)].map(later)]
    const { memory, state } = run(inputs, turnedAway).session
    expect(memory.gatewayUrl).toBe(gatewayUrl)
    expect(state).toMatchObject({ reason: { kind: 'gatewayRefused', status: 403 }, delayMs: 3_000 })
  })

  it('is that of the gateway that is free first, where all want to be left alone', () => {
    const busy = { status: 503, retryAfterMs: 20_000 }
    const turnedAway = run([start, failed(1, { status: 403, retryAfterMs: null })], twoGateways()).session
    const { memory, state } = run([reconnect, failed(3, busy)], turnedAway).session
    expect(memory.gatewayUrl).toBe(turnedAway.memory.gatewayUrl)
    expect(state).toMatchObject({ delayMs: 22_500 })
    const mine = run(
      [{ ...start, random: 0 }, failed(1, busy), reconnect, failed(3, { ...busy, status: 403 })],
      twoGateways(),
    )
    expect(mine.session.memory.gatewayUrl).toBe(A)
  })

  it('follows the hint of a goodbye', () => {
    const reason = JSON.stringify({ retryAfterMs: 8_000, windowMs: 4_000 })
    const state = stateAfter([...hailed, { type: 'closed', connection: 1, code: 1012, reason }])
    expect(state).toMatchObject({ delayMs: 10_000, reason: { kind: 'connectionClosed', code: 1012 } })
    const plain = stateAfter([...hailed, { type: 'closed', connection: 1, code: 1001, reason }])
    expect(plain).toMatchObject({ delayMs: 2_500 })
  })
})

describe('a device that slept or lost its network', () => {
  it('comes back within half a second, once it is awake', () => {
    const { session } = after([{ type: 'resumed', gapMs: 60_000, at: 5 }])
    expect(session.state).toEqual({
      status: 'waiting',
      attempt: 1,
      delayMs: 250,
      reason: { kind: 'slept', gapMs: 60_000 },
    })
    expect(session.memory.lastOwnAt).toBe(5)
  })

  it('shortens a wait that nobody asked for', () => {
    for (const input of [{ type: 'online' }, { type: 'resumed', gapMs: 60_000 }] as const) {
      const waiting = run([start, { type: 'failed', connection: 1, detail: 'x' }]).session
      const { session, effects } = run([input], waiting)
      expect(session.state).toMatchObject({ status: 'waiting', delayMs: 250, attempt: 2 })
      expect(effects).toEqual([{ type: 'schedule', timer: 'reconnect', delayMs: 250 }])
    }
  })

  it('shortens no wait that a server or another device is the reason of', () => {
    const answer = { status: 404, retryAfterMs: null }
    const refused = run([start, { type: 'failed', connection: 1, detail: 'x', answer }]).session
    const shared = after([duplicate(1, 0)], idleSession({ ...settings, onDuplicateKey: 'wait' })).session
    const lingering = after(
      [duplicate(1, 1)],
      idleSession({ ...settings, onDuplicateKey: 'wait', ownRecordAt: 0 }),
    ).session
    expect(lingering.state).toMatchObject({ reason: { kind: 'ownSessionLingers' }, delayMs: 12_500 })
    for (const waiting of [refused, shared, lingering]) {
      expect(waiting.state.status).toBe('waiting')
      expect(run([{ type: 'online' }], waiting).session).toBe(waiting)
    }
  })

  it('changes nothing before the start and while it mines', () => {
    for (const session of [idleSession(settings), after([]).session])
      expect(run([{ type: 'online' }], session).session).toBe(session)
    const idle = idleSession(settings)
    expect(run([{ type: 'offline' }, { type: 'resumed', gapMs: 1 }], idle).session).toBe(idle)
  })

  it('keeps a link within its own network, and leaves any other', () => {
    const local = after([], idleSession({ ...settings, gatewayUrl: 'ws://192.168.1.5:3000/' })).session
    expect(run([{ type: 'offline' }], local).session).toBe(local)
    expect(after([{ type: 'offline' }]).session.state).toMatchObject({ reason: { kind: 'offline' } })
    const waiting = run([start, { type: 'failed', connection: 1, detail: 'x' }]).session
    expect(run([{ type: 'offline' }], waiting).session).toBe(waiting)
  })
})

describe('a key that another connection took over', () => {
  const sharing = (ownRecordAt?: number): Session =>
    idleSession({ ...settings, onDuplicateKey: 'wait', ...(ownRecordAt !== undefined && { ownRecordAt }) })
  const reasonAfter = (inputs: readonly Given[], from: Session) => {
    const { state } = run(inputs, from).session
    return state.status === 'waiting' ? state.reason.kind : state.status
  }
  const at = (inputs: readonly Given[], when: number): readonly Given[] =>
    inputs.map((input) => ({ ...input, at: when }))

  it('is thought to be held by our own last session only right after the hail, and when that was recent', () => {
    const reported = (ownRecordAt: number, hailedAt: number, evictedAt: number) =>
      reasonAfter([...at(hailed, hailedAt), duplicate(1, evictedAt)], sharing(ownRecordAt))
    expect(reported(0, 100_000, 110_000)).toBe('ownSessionLingers')
    expect(reported(0, 100_000, 110_001)).toBe('duplicateKey')
    expect(reported(0, 115_000, 120_000)).toBe('ownSessionLingers')
    expect(reported(0, 115_000, 120_001)).toBe('duplicateKey')
    expect(reasonAfter([...hailed, duplicate(1, 1)], sharing())).toBe('duplicateKey')
  })

  it('is thought so once in ten minutes', () => {
    const first = run([...hailed, duplicate(1, 0)], sharing(0)).session
    expect(first.memory).toMatchObject({ lingeredAt: 0, lastOwnAt: null, isOpen: false })
    const again = (when: number) => {
      const own = { ...first, memory: { ...first.memory, lastOwnAt: when - 1 } }
      return reasonAfter([{ ...reconnect, at: when }, ...opened(3, when), duplicate(3, when)], own)
    }
    expect(again(600_000)).toBe('duplicateKey')
    expect(again(600_001)).toBe('ownSessionLingers')
  })

  it('is waited for longer each time, unless it was ours for an hour', () => {
    const first = run([...hailed, duplicate(1, 20_000)], sharing()).session
    expect(first.state).toMatchObject({ delayMs: 75_000 })
    expect(first.memory.contested).toMatchObject({ answers: 1 })
    const second = (when: number) => run([reconnect, ...opened(3), duplicate(3, when)], first).session
    expect(second(3_600_000)).toMatchObject({
      state: { delayMs: 135_000 },
      memory: { contested: { answers: 2 } },
    })
    expect(second(3_600_001)).toMatchObject({
      state: { delayMs: 75_000 },
      memory: { contested: { answers: 1 } },
    })
  })

  it('ends the session where that was asked for, when it is said again after two minutes', () => {
    const first = after([duplicate(1, 20_000)]).session
    expect(first.state).toMatchObject({
      status: 'waiting',
      reason: { kind: 'duplicateKey' },
      delayMs: 75_000,
    })
    const again = (when: number) => run([reconnect, ...opened(3), duplicate(3, when)], first)
    expect(again(139_999).session.state.status).toBe('waiting')
    const { session, effects } = again(140_000)
    expect(session.state).toEqual({ status: 'stopped', reason: 'duplicateKey' })
    expect(session.memory).toMatchObject({ connection: 4, isOpen: false })
    expect(effectsOf(effects, 'close')).toHaveLength(1)
    expect(eventsOf(effects).at(-1)).toEqual({ type: 'stopped', reason: 'duplicateKey' })
  })
})

describe('a session that is held', () => {
  const low = { kind: 'stakeTooLow', detail: 'it has 5 of 100' } as const
  const held = (reason: HoldReason): Given => ({ type: 'held', reason })
  const released = (withOthers: boolean): Given => ({ type: 'released', withOthers })
  const away = after([held(low)])

  it('leaves its gateway, and does not connect again by itself', () => {
    expect(away.session.state).toEqual({ status: 'waiting', attempt: 1, delayMs: 0, reason: low })
    expect(effectsOf(away.effects, 'close')).toHaveLength(1)
    const { session, effects } = run([reconnect, ...opened(1), held({ ...low })], away.session)
    expect(session.state).toMatchObject({ status: 'waiting', reason: low })
    expect([...effectsOf(effects, 'open'), ...effectsOf(effects, 'hail')]).toEqual([])
  })

  it('reports another reason, and the same one once', () => {
    expect(run([held({ ...low })], away.session).effects).toEqual([])
    const other = run([held({ ...low, detail: 'it has 6 of 100' })], away.session)
    expect(other.session.state).toMatchObject({ reason: { detail: 'it has 6 of 100' } })
    expect(eventsOf(other.effects)).toMatchObject([{ type: 'disconnected', delayMs: 0 }])
    const asked = run([held({ kind: 'nativeTokenUnknown', detail: '' })], away.session)
    expect(asked.session.state).toMatchObject({ reason: { kind: 'nativeTokenUnknown' } })
    expect(eventsOf(asked.effects)).toEqual([])
  })

  it('connects when it is released, at once or with others after a pause', () => {
    expect(run([released(false)], away.session).session.state).toEqual({ status: 'connecting', attempt: 1 })
    const paused = run([released(true)], away.session)
    expect(paused.session.state).toMatchObject({ status: 'waiting', delayMs: 2_500 })
    expect(paused.effects).toEqual([{ type: 'schedule', timer: 'reconnect', delayMs: 2_500 }])
  })

  it('waits out the pause of a server or another device before and after', () => {
    const shared = after([duplicate(1, 0)], idleSession({ ...settings, onDuplicateKey: 'wait' })).session
    const { session, effects } = run([held(low)], shared)
    expect([session.state, effects]).toEqual([shared.state, []])
    expect(run([released(false)], session).session.state).toEqual(shared.state)
  })

  it('is not moved by a connection that was left while another one opens', () => {
    const second = run([start, { type: 'failed', connection: 1, detail: 'x' }, reconnect]).session
    expect(run(opened(1), second)).toEqual({ session: second, effects: [] })
  })
})

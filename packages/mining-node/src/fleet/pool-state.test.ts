import type { Hash } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../session/effect.ts'
import type { SessionState, WaitReason } from '../session/state.ts'
import {
  afterEvent,
  afterStatus,
  EMPTY_POOL,
  gatewayNews,
  isOffer,
  isRefused,
  movesOf,
} from './pool-state.ts'

const hash = '1'.repeat(64) as Hash
const beacon: SessionEvent = {
  ...{ type: 'beaconReceived', transactionCount: 1 },
  ...{ microblockHash: hash, keyBlockHash: hash },
}
const hailed: SessionEvent = { type: 'hailed', url: 'ws://a' }
const cut = (reason: WaitReason): SessionEvent => ({ type: 'disconnected', reason, delayMs: 0 })

describe('the state of a pool', () => {
  it('counts nodes by status, and what they signed and refused', () => {
    const two = afterStatus(afterStatus(EMPTY_POOL, null, 'idle'), null, 'idle')
    const one = afterStatus(two, 'idle', 'mining')
    expect(one.status).toMatchObject({ idle: 1, mining: 1 })
    expect(afterStatus(one, 'mining', 'mining')).toBe(one)
    const signed = afterEvent(one, { type: 'published', microblockHash: hash, keyBlockHash: hash }, 7)
    const refusal = { microblockHash: hash, refusal: 'signedBefore', why: '' } as const
    const both = afterEvent(signed, { type: 'beaconRefused', ...refusal }, 8)
    expect(both).toEqual({ ...one, published: 1, refused: 1, lastBeaconAt: 7 })
    expect(EMPTY_POOL.status.idle).toBe(0)
  })

  it('has an offer with each beacon, and with the first session', () => {
    const first = afterStatus(EMPTY_POOL, null, 'waitingForBeacon')
    const second = afterStatus(first, null, 'mining')
    expect([isOffer(first, hailed), isOffer(second, hailed), isOffer(second, beacon)]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('a gateway', () => {
  const waiting = { status: 'waiting', attempt: 1, delayMs: 0 } as const
  const after = (event: SessionEvent, attempt = 1): SessionState =>
    event.type === 'disconnected' ? { ...waiting, attempt, reason: event.reason } : { status: 'idle' }

  it.each<[ReturnType<typeof gatewayNews>, SessionEvent]>([
    ['beaconSeen', beacon],
    ['succeeded', { type: 'connected', url: 'ws://a' }],
    [null, hailed],
    ['failed', cut({ kind: 'handshakeTimeout' })],
    ['failed', cut({ kind: 'gatewayUnreachable', detail: 'ECONNREFUSED' })],
    [null, cut({ kind: 'gatewayUnreachable', detail: 'EMFILE' })],
    ['refused', cut({ kind: 'duplicateKey', host: 'a' })],
    [null, cut({ kind: 'publicationSuspected' })],
  ])('is told of %s', (news, event) => expect(gatewayNews(event, after(event))).toBe(news))

  it('is left by a node that it turned away', () => {
    const refused: SessionState = { ...waiting, reason: { kind: 'duplicateKey', host: 'a' } }
    expect([isRefused(refused), isRefused({ ...waiting, reason: { kind: 'handshakeTimeout' } })]).toEqual([
      true,
      false,
    ])
  })

  it('is told that it refuses by a word, and by no link that is lost', () => {
    const closed = (said?: string) => cut({ kind: 'connectionClosed', code: 1000, ...(said && { said }) })
    expect(gatewayNews(closed('ERR_NEW'), after(closed('ERR_NEW')))).toBe('refused')
    expect(gatewayNews(closed(), after(closed(), 4))).toBeNull()
  })

  it('gives up its surplus, and one node for each gateway that may be back; nodes without a session stay', () => {
    const nodeAt = (gatewayUrl: string, state: SessionState) => ({
      ...{ state, settings: { gatewayUrl, onDuplicateKey: 'wait' as const } },
    })
    const mining: SessionState = { status: 'mining', published: 0 }
    const nodes = [
      nodeAt('a', { status: 'connecting', attempt: 1 }),
      ...['a', 'b', 'a', 'a'].map((url) => nodeAt(url, mining)),
    ]
    const indexes = (surplus: Iterable<readonly [string, number]>, probes: readonly string[]) =>
      [...movesOf(nodes, new Map(surplus), probes)].map(([node, to]) => [nodes.indexOf(node), to])
    expect(indexes([], [])).toEqual([])
    expect(indexes([['a', 2]], [])).toEqual([1, 3].map((index) => [index, undefined]))
    expect(indexes([['a', 1]], ['c'])).toEqual([
      [1, 'c'],
      [3, undefined],
    ])
  })
})

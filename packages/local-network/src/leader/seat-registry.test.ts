import type { Address, TokenId } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import type { Claim, GatewayEnd, ReceivedHail, Seat } from './gateway-end.ts'
import { createSeatRegistry } from './seat-registry.ts'

const address = `02${'a'.repeat(64)}` as Address
const native = '0'.repeat(64) as TokenId
const hailNamed = (host: string): ReceivedHail => ({ host, data: {} as never })

/** A gateway that answers when the test says so, and tells who had to leave. */
function createGateway(name: string) {
  const evicted: number[] = []
  const contests: {
    readonly seat: Seat
    readonly by: string | null
    readonly answer: (is: boolean) => void
  }[] = []
  const end: GatewayEnd = {
    stand: () => null,
    offer: () => {},
    contest: (seat, hail, answer) => void contests.push({ seat, by: hail?.host ?? null, answer }),
    hailOf: (_, answer) => answer(hailNamed(name)),
    evict: ({ session }) => void evicted.push(session),
  }
  return { end, evicted, contests }
}

const claim = (session: number, { ageMs = 0, tokenId = native, host = '' } = {}): Claim => ({
  address,
  session,
  tokenId,
  hail: hailNamed(host),
  ageMs,
})

function setUp() {
  let nowMs = 0
  const seats = createSeatRegistry(() => nowMs)
  const [a, b, c] = [createGateway('a'), createGateway('b'), createGateway('c')]
  const holder = () =>
    [a, b, c].find(({ end }) => seats.miners().length === 1 && seats.miners(end).length === 0)
  return { seats, a, b, c, holder, pass: (ms: number) => (nowMs += ms) }
}

test('D-9: the newer claim has the seat when the older one is empty', () => {
  const { seats, a, b, holder, pass } = setUp()
  seats.claim(a.end, claim(1))
  pass(10)
  seats.claim(b.end, claim(7, { host: 'newer' }))
  expect(holder()).toBe(a)
  expect(a.contests).toMatchObject([{ seat: { address, session: 1 }, by: 'newer' }])
  a.contests[0]?.answer(true)
  expect(holder()).toBe(b)
  expect([a.evicted, b.evicted]).toEqual([[], []])
})

test('the newer one has to leave when the older one stays', () => {
  const { seats, a, b, holder } = setUp()
  seats.claim(a.end, claim(1))
  seats.claim(b.end, claim(7))
  a.contests[0]?.answer(false)
  expect(holder()).toBe(a)
  expect(b.evicted).toEqual([7])
})

test('a newer one that has left meanwhile is not missed', () => {
  const { seats, a, b, holder } = setUp()
  seats.claim(a.end, claim(1))
  seats.claim(b.end, claim(7))
  seats.leave(b.end, { address, session: 7 })
  a.contests[0]?.answer(false)
  expect(holder()).toBe(a)
  expect(b.evicted).toEqual([])
})

test('of three the newest has the seat, in whatever order the answers come', () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { seats, a, b, c, holder, pass } = setUp()
    seats.claim(a.end, claim(1))
    pass(10)
    seats.claim(b.end, claim(2))
    pass(10)
    seats.claim(c.end, claim(3))
    for (const at of order) a.contests[at]?.answer(true)
    expect(holder()).toBe(c)
    expect(b.evicted).toEqual([2])
    expect(c.evicted).toEqual([])
  }
})

test('a leader that is new and hears of the newer one first asks for its hail', () => {
  const { seats, a, b, holder, pass } = setUp()
  pass(1000)
  seats.claim(b.end, claim(7, { ageMs: 100 }))
  seats.claim(a.end, claim(1, { ageMs: 900 }))
  expect(a.contests).toMatchObject([{ seat: { session: 1 }, by: 'b' }])
  a.contests[0]?.answer(true)
  expect(holder()).toBe(b)
  expect([a.evicted, b.evicted]).toEqual([[], []])
})

test('a leader that is new lets the older one have the seat where it stays', () => {
  const { seats, a, b, holder, pass } = setUp()
  pass(1000)
  seats.claim(b.end, claim(7, { ageMs: 100 }))
  seats.claim(a.end, claim(1, { ageMs: 900 }))
  a.contests[0]?.answer(false)
  expect(holder()).toBe(a)
  expect(b.evicted).toEqual([7])
})

test('another token of the same session is no other claim', () => {
  const { seats, a, b, holder } = setUp()
  const other = 'b'.repeat(64) as TokenId
  seats.claim(a.end, claim(1))
  seats.claim(b.end, claim(7))
  seats.claim(a.end, claim(1, { tokenId: other }))
  expect(a.contests).toHaveLength(1)
  a.contests[0]?.answer(false)
  expect(holder()).toBe(a)
  expect(seats.miners()).toEqual([{ address, tokenId: other }])
  expect([a.evicted, b.evicted]).toEqual([[], [7]])
})

test('a gateway that is gone has no seats, and each change has another version', () => {
  const { seats, a, b } = setUp()
  const versions = [seats.version()]
  seats.claim(a.end, claim(1))
  versions.push(seats.version())
  seats.leaveAll(b.end)
  expect(seats.miners()).toHaveLength(1)
  seats.leaveAll(a.end)
  versions.push(seats.version())
  expect(seats.miners()).toEqual([])
  expect(new Set(versions).size).toBe(3)
})

test('the older one stays where the newer one left before anybody asked for its hail', () => {
  const { seats, a, b, holder, pass } = setUp()
  const answers: ((hail: ReceivedHail | null) => void)[] = []
  const slow = {
    ...b.end,
    hailOf: (_: Seat, answer: (hail: ReceivedHail | null) => void) => void answers.push(answer),
  }
  pass(1000)
  seats.claim(slow, claim(7, { ageMs: 100 }))
  seats.claim(a.end, claim(1, { ageMs: 900 }))
  seats.leave(slow, { address, session: 7 })
  answers[0]?.(null)
  expect(a.contests).toEqual([])
  expect(a.evicted).toEqual([])
  expect(holder()).toBe(a)
})

test('the newer one has the seat where the older one stayed and left at once', () => {
  const { seats, a, b, holder } = setUp()
  seats.claim(a.end, claim(1))
  seats.claim(b.end, claim(7))
  seats.leave(a.end, { address, session: 1 })
  a.contests[0]?.answer(false)
  expect(holder()).toBe(b)
  expect(b.evicted).toEqual([])
})

test('a claim costs the same however many others wait to be decided', () => {
  const { seats, a, b } = setUp()
  const named = (at: number): Address => `02${at.toString(16).padStart(64, '0')}` as Address
  const count = 20_000
  for (let at = 0; at < count; at++) seats.claim(a.end, { ...claim(at), address: named(at) })
  const timeOf = (from: number, to: number): number => {
    const began = performance.now()
    for (let at = from; at < to; at++) seats.claim(b.end, { ...claim(at), address: named(at) })
    return performance.now() - began
  }
  const first = timeOf(0, 2000)
  timeOf(2000, count - 2000)
  const last = timeOf(count - 2000, count)
  expect(a.contests.length).toBe(count)
  expect(last).toBeLessThan(10 * first + 20)
})

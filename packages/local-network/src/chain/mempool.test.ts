import {
  type Amount,
  type Hash,
  type Signature,
  type Transaction,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { createMempool } from './mempool.ts'

const transaction = (nonce: number): Transaction => ({
  amount: 1n as Amount,
  data: '',
  from: `02${'a'.repeat(64)}` as never,
  to: `03${'b'.repeat(64)}` as never,
  nonce,
  tokenId: ZERO_TOKEN_ID,
  signature: '00' as Signature,
})
const hash = (nonce: number): Hash => transactionHash(transaction(nonce))

function filled(count: number) {
  const clock = manualClock()
  const mempool = createMempool(clock)
  for (let number = 0; number < count; number++) mempool.add(transaction(number), hash(number))
  const take = (limit: number, more = {}) =>
    mempool.take({ limit, nowMs: clock.now(), pendingTimeoutMs: 2000, ...more })
  return { clock, mempool, take }
}

test('takes a transaction once', () => {
  const { mempool } = filled(1)
  expect(mempool.add(transaction(0), hash(0))).toBe('alreadyInPool')
  expect(mempool.size).toBe(1)
})

test('offers the oldest first', () => {
  expect(
    filled(5)
      .take(3)
      .map((entry) => entry.hash),
  ).toEqual([hash(0), hash(1), hash(2)])
})

test('leaves an offered transaction to its miner until the time-out, then offers it before others', async () => {
  const { clock, mempool, take } = filled(3)
  mempool.markOffered([mempool.get(hash(2)) as never], {
    nowMs: clock.now(),
    tokenId: ZERO_TOKEN_ID,
  })
  await clock.advance(1999)
  expect(take(3).map((entry) => entry.hash)).toEqual([hash(0), hash(1)])
  await clock.advance(1)
  expect(take(3).map((entry) => entry.hash)).toEqual([hash(2), hash(0), hash(1)])
  expect(take(1).map((entry) => entry.hash)).toEqual([hash(2)])
})

test('takes for several microblocks at once what it takes for one after the other', () => {
  const waiting = fc.record({
    sender: fc.nat({ max: 5 }),
    offeredCount: fc.nat({ max: 3 }),
    isOffered: fc.boolean(),
    isSettled: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(waiting, { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      (all, limit, microblocks) => {
        const nowMs = 10_000
        const fill = () => {
          const mempool = createMempool({ now: () => nowMs })
          for (const [nonce, { sender }] of all.entries()) {
            const sent = { ...transaction(nonce), from: `02${String(sender).repeat(64)}` as never }
            mempool.add(sent, transactionHash(sent))
          }
          for (const [at, entry] of mempool.entries().entries()) {
            entry.offeredCount = all[at]?.offeredCount ?? 0
            entry.lastOfferedAtMs = all[at]?.isOffered === true ? nowMs : null
          }
          return mempool
        }
        const mempool = fill()
        const settled = new Set(
          mempool
            .entries()
            .filter((_, at) => all[at]?.isSettled === true)
            .map((entry) => entry.hash),
        )
        const given = { nowMs, pendingTimeoutMs: 2000, isSettled: (one: Hash) => settled.has(one) }
        const oneByOne: Hash[] = []
        for (let made = 0; made < microblocks; made++) {
          const entries = mempool.take({ ...given, limit })
          mempool.markOffered(entries, { nowMs, tokenId: ZERO_TOKEN_ID })
          oneByOne.push(...entries.map((entry) => entry.hash))
        }
        const atOnce = fill().take({ ...given, limit: limit * microblocks })
        expect(atOnce.map((entry) => entry.hash)).toEqual(oneByOne)
      },
    ),
  )
})

test('does not offer what a microblock of the open macroblock holds', () => {
  expect(filled(2).take(2, { isSettled: (one: Hash) => one === hash(0) })).toHaveLength(1)
})

test('leaves out what came later than asked for', async () => {
  const { clock, mempool, take } = filled(1)
  await clock.advance(100)
  mempool.add(transaction(9), hash(9))
  expect(take(9, { minimumAgeMs: 100 }).map((entry) => entry.hash)).toEqual([hash(0)])
})

test('never offers a nonce with a fraction, which no block can hold', () => {
  const { mempool, take } = filled(0)
  // As POST keeps it: the hash of what was sent, the nonce rounded.
  mempool.add(transaction(2), hash(1.5))
  expect(take(1)).toEqual([])
  expect(mempool.countWaiting(() => false, 9)).toBe(0)
  expect(mempool.size).toBe(1)
})

test('never offers again what was set aside, which goes on waiting', () => {
  const { mempool, take } = filled(2)
  mempool.setAside(take(1))
  expect(take(9).map((entry) => entry.hash)).toEqual([hash(1)])
  expect(mempool.countWaiting(() => false, 9)).toBe(1)
  expect(mempool.size).toBe(2)
})

test('finds the transactions an account sends and receives', () => {
  const { mempool } = filled(2)
  const { from, to } = transaction(0)
  expect(mempool.ofAccount(from, 'from')).toHaveLength(2)
  expect(mempool.ofAccount(from, 'to')).toHaveLength(0)
  expect(mempool.ofAccount(to, 'both')).toHaveLength(2)
})

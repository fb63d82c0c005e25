import type { Hash, Transaction } from '@hailstone/protocol'
import { afterEach, expect, test, vi } from 'vitest'
import { createMempool } from '../chain/mempool.ts'
import { createSharedMempool } from './shared-mempool.ts'

const hash = (name: string): Hash => name.padStart(64, '0') as Hash
const transaction = {
  from: `02${'a'.repeat(64)}`,
  to: `03${'b'.repeat(64)}`,
  amount: 1n,
  nonce: 1,
  data: '',
  tokenId: hash('0'),
  signature: '00',
} as unknown as Transaction

/** Creates a stand-in for the database that can be away, or slow. */
function fakeDatabase() {
  const rows = new Map<Hash, { number: bigint; transaction: Transaction }>()
  let next = 1n
  let confirmations = 0
  const state = { isAway: false, isFull: false, gate: Promise.resolve() }
  const answer = async (): Promise<void> => {
    await state.gate
    if (state.isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  return {
    state,
    rows,
    async post(posted: readonly { hash: Hash; transaction: Transaction }[]): Promise<readonly Hash[]> {
      await answer()
      if (state.isFull) return posted.map((one) => one.hash)
      for (const one of posted)
        if (!rows.has(one.hash)) rows.set(one.hash, { number: next++, transaction: one.transaction })
      return []
    },
    refile: async () => {},
    async remove(hashes: readonly Hash[]) {
      await answer()
      for (const one of hashes) rows.delete(one)
    },
    async news(after: bigint) {
      await answer()
      const added = [...rows].filter(([, { number }]) => number > after)
      return {
        added: added.map(([hash, { transaction }]) => ({ hash, sender: transaction.from, ageMs: 0 })),
        newest: added.at(-1)?.[1].number ?? after,
      }
    },
    contents: async (hashes: readonly Hash[]) =>
      new Map(
        hashes.flatMap((one) => {
          const row = rows.get(one)
          return row === undefined ? [] : [[one, row.transaction] as const]
        }),
      ),
    confirm: async () => {
      confirmations++
      await answer()
    },
    confirmations: () => confirmations,
    poolHashes: async () => [...rows.keys()],
    wake: async () => {},
    seen: () => ({ size: rows.size, newest: next - 1n }),
  }
}

afterEach(() => {
  vi.useRealTimers()
})

/** Keeps the database from answering until the returned function is called. */
function hold({ state }: ReturnType<typeof fakeDatabase>): () => void {
  let open: () => void = () => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  return open
}

const poolOver = (database: ReturnType<typeof fakeDatabase>) =>
  createSharedMempool(createMempool({ now: () => 0 }), database)

test('what one posts the other reads, and what one removes is gone at both', async () => {
  const database = fakeDatabase()
  const [one, other] = [poolOver(database), poolOver(database)]
  expect(await one.post(transaction, hash('a'))).toBe('added')
  expect(await one.post(transaction, hash('a'))).toBe('alreadyInPool')
  await other.sync(database.seen())
  expect(other.get(hash('a'))).toBeDefined()
  other.remove([hash('a')])
  await other.flush()
  await one.sync(database.seen())
  expect(one.size).toBe(0)
})

test('a post that could not be written is taken back and refused, so nobody waits for it', async () => {
  const database = fakeDatabase()
  const pool = poolOver(database)
  database.state.isAway = true
  await expect(pool.post(transaction, hash('a'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  expect(pool.size).toBe(0)
  database.state.isAway = false
  await pool.flush()
  expect(database.rows.size).toBe(0)
})

test('what is there already is confirmed before it is answered, once for all who ask meanwhile', async () => {
  const database = fakeDatabase()
  const [one, other] = [poolOver(database), poolOver(database)]
  await one.post(transaction, hash('a'))
  await other.sync(database.seen())
  expect(database.confirmations()).toBe(0)
  await Promise.all(Array.from({ length: 50 }, () => other.post(transaction, hash('a'))))
  expect(database.confirmations()).toBeLessThanOrEqual(2)
  expect(database.confirmations()).toBeGreaterThan(0)
  database.state.isAway = true
  await expect(other.post(transaction, hash('a'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  expect(other.get(hash('a'))).toBeDefined()
})

test('what the network itself adds is written once the database is back', async () => {
  const database = fakeDatabase()
  const pool = poolOver(database)
  database.state.isAway = true
  pool.add(transaction, hash('a'))
  await pool.flush().catch(() => {})
  expect(pool.size).toBe(1)
  database.state.isAway = false
  await pool.sync(database.seen())
  expect([...database.rows.keys()]).toEqual([hash('a')])
})

test('what a macroblock calculates while it is being written does not come back', async () => {
  const database = fakeDatabase()
  const pool = poolOver(database)
  let open: () => void = () => {}
  database.state.gate = new Promise((resolve) => {
    open = resolve
  })
  pool.add(transaction, hash('a'))
  await Promise.resolve()
  pool.settle([hash('a')])
  open()
  await pool.flush()
  await pool.sync(database.seen())
  expect([pool.size, database.rows.size]).toEqual([0, 0])
})

test('a row with a low number that was committed late is found all the same', async () => {
  const database = fakeDatabase()
  const pool = poolOver(database)
  await database.post([hash('late'), hash('a')].map((one) => ({ hash: one, transaction })))
  const late = database.rows.get(hash('late'))
  database.rows.delete(hash('late'))
  await pool.sync(database.seen())
  if (late !== undefined) database.rows.set(hash('late'), late)
  await pool.sync(database.seen())
  expect(pool.get(hash('late'))).toBeDefined()
})

test('what was over the quota after its post was given up counts anew when it is posted again', async () => {
  vi.useFakeTimers()
  const database = fakeDatabase()
  const pool = poolOver(database)
  database.state.isFull = true
  const open = hold(database)
  const late = expect(pool.post(transaction, hash('a'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  await vi.advanceTimersByTimeAsync(6000)
  await late
  open()
  await vi.advanceTimersByTimeAsync(100)
  expect(pool.size).toBe(0)
  database.state.isFull = false
  expect(await pool.post(transaction, hash('a'))).toBe('added')
  expect([...database.rows.keys()]).toEqual([hash('a')])
})

test('of several that post the same at once, none hears that it waits if it is over the quota', async () => {
  const database = fakeDatabase()
  const pool = poolOver(database)
  database.state.isFull = true
  const outcomes = await Promise.all([1, 2, 3].map(() => pool.post(transaction, hash('a'))))
  expect(outcomes).toEqual([1, 2, 3].map(() => expect.objectContaining({ kind: 'senderFull' })))
  expect([pool.size, database.rows.size]).toEqual([0, 0])
})

test('of several that post the same at once, none hears that it waits if it is taken back for one', async () => {
  const database = fakeDatabase()
  let writes = 0
  const pool = createSharedMempool(createMempool({ now: () => 0 }), {
    ...database,
    // The second write begins before the first post has heard of its failure, and succeeds.
    async post(posted) {
      if (++writes === 1) throw new Error('connection reset')
      await new Promise(setImmediate)
      return database.post(posted)
    },
  })
  const outcomes = await Promise.allSettled([1, 2].map(() => pool.post(transaction, hash('a'))))
  const failed = { status: 'rejected', reason: { code: 'STORE_UNREACHABLE' } }
  expect(outcomes).toMatchObject([failed, failed])
  await pool.flush()
  expect([pool.size, database.rows.size]).toEqual([0, 0])
})

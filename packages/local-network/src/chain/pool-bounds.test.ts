import { createGenesis, createLedgerState } from '@hailstone/ledger'
import { type Address, type Hash, type Transaction, transactionHash } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { createCoverage } from './coverage.ts'
import { createMempool } from './mempool.ts'
import type { PoolLimits } from './pool-limits.ts'

const genesis = createGenesis({ seed: 'bounds', time: 1_700_000_000 })
const [honest] = genesis.accounts.developers as never as [(typeof genesis.accounts.developers)[0]]
const native = genesis.tokens.native
const addressOf = (name: string): Address =>
  `02${Buffer.from(name).toString('hex').padStart(64, '0')}` as Address

let nonce = 0
function sent(from: Address, more: Partial<Transaction> = {}): { transaction: Transaction; hash: Hash } {
  const transaction = {
    amount: native.feeValue * 2n,
    data: '',
    from,
    to: genesis.accounts.faucet.address,
    nonce: nonce++,
    tokenId: native.id,
    signature: '00',
    ...more,
  } as Transaction
  return { transaction, hash: transactionHash(transaction) }
}

/** A pool over a ledger in which the named accounts can pay for so many payments. */
function setUp(limits: Partial<PoolLimits> = {}, funds: Readonly<Record<string, number>> = {}) {
  const clock = manualClock()
  const ledger = createLedgerState({
    ...genesis.content,
    balances: [
      ...genesis.content.balances,
      ...Object.entries(funds).map(([name, payments]) => ({
        account: addressOf(name),
        tokenId: native.id,
        amount: BigInt(payments) * 2n * native.feeValue,
      })),
    ],
  })
  const coverage = createCoverage({
    ledger,
    rules: genesis.parameters.ledger,
    height: () => 0,
    onLacking: () => {},
  })
  const pool = createMempool({ ...clock, coverage, limits })
  const post = (from: Address, more: Partial<Transaction> = {}) => {
    const { transaction, hash } = sent(from, more)
    return { hash, outcome: pool.post(transaction, hash) }
  }
  /** Fills a macroblock with so many transactions, and calculates it without any change of the ledger. */
  const mine = (limit: number): readonly Hash[] => {
    const mined = pool.take({ limit, nowMs: clock.now(), pendingTimeoutMs: 2000 }).map(({ hash }) => hash)
    pool.remove(mined)
    pool.reconsider()
    return mined
  }
  return { clock, ledger, pool, post, mine }
}

describe('quotas', () => {
  test('a sender whose balance covers nothing has few transactions waiting, whatever it posts', () => {
    const { pool, post } = setUp()
    const outcomes = Array.from({ length: 3000 }, () => post(addressOf('poor')).outcome)
    expect(pool.size).toBe(64)
    expect(outcomes.at(-1)).toEqual({ kind: 'uncovered', limit: 64 })
  })

  test('a sender is refused what its balance does not cover besides what waits already', () => {
    const { post } = setUp({ maxUncoveredPerSender: 2 }, { some: 3 })
    const outcomes = Array.from({ length: 5 }, () => post(addressOf('some')).outcome)
    expect(outcomes).toEqual(['added', 'added', 'added', ...Array(2).fill({ kind: 'uncovered', limit: 2 })])
  })

  test('a rich sender has a quota too', () => {
    const { post } = setUp({ maxPerSender: 100 })
    for (let count = 0; count < 100; count++) expect(post(honest.address).outcome).toBe('added')
    expect(post(honest.address).outcome).toEqual({ kind: 'senderFull', limit: 100 })
  })

  test('what was calculated before counts for nobody who signed it', () => {
    const { pool, post, mine } = setUp({ maxUncoveredPerSender: 2, maxPerSender: 5 })
    const old = Array.from({ length: 5 }, () => post(honest.address).hash)
    pool.markReplayed(old)
    expect(pool.size).toBe(2)
    const { hash, outcome } = post(honest.address)
    expect(outcome).toBe('added')
    expect(mine(1)).toEqual([hash])
  })

  test('a transaction that can never be confirmed is not covered by any balance', () => {
    const { post } = setUp({ maxUncoveredPerSender: 0 })
    const refused = { kind: 'uncovered', limit: 0 }
    expect(post(honest.address).outcome).toBe('added')
    expect(post(honest.address, { tokenId: 'f'.repeat(64) as never }).outcome).toEqual(refused)
    expect(post(honest.address, { amount: (native.feeValue - 1n) as never }).outcome).toEqual(refused)
  })
})

describe('the cap in all', () => {
  const fill = (limits: Partial<PoolLimits>, funds: Readonly<Record<string, number>> = {}) => {
    const made = setUp({ maxTransactions: 20, ...limits }, funds)
    for (let count = 0; count < 50; count++) made.post(addressOf(`sybil ${count}`))
    return made
  }

  test('one more of a stranger without coins is refused', () => {
    const { pool, post } = fill({})
    expect(pool.size).toBe(20)
    expect(post(addressOf('another')).outcome).toEqual({ kind: 'poolFull', limit: 20 })
  })

  test('a covered transaction takes the place of one that is not', () => {
    const { pool, post } = fill({})
    const dropped: Hash[] = []
    pool.onDropped((hash) => dropped.push(hash))
    const { hash, outcome } = post(honest.address)
    expect([outcome, pool.size, dropped.length]).toEqual(['added', 20, 1])
    expect(pool.get(hash)).toBeDefined()
  })

  test('among equals the newest of the sender with the most makes room', () => {
    const { pool, post } = setUp({ maxTransactions: 20 }, { rich: 50, other: 50 })
    const all = Array.from({ length: 20 }, () => post(addressOf('rich')).hash)
    expect(post(addressOf('rich')).outcome).toEqual({ kind: 'poolFull', limit: 20 })
    expect(post(addressOf('other')).outcome).toBe('added')
    expect(pool.get(all.at(-1) ?? '')).toBeUndefined()
    expect(pool.get(all[0] ?? '')).toBeDefined()
  })

  test("the network's own transactions are taken all the same, and trimmed later", () => {
    const { pool } = fill({})
    const { transaction, hash } = sent(honest.address)
    expect(pool.add(transaction, hash)).toBe('added')
    expect(pool.size).toBe(21)
    pool.trim()
    expect([pool.size, pool.get(hash) !== undefined]).toEqual([20, true])
  })
})

describe('turns', () => {
  test('senders take turns, whoever came first', () => {
    const { post, mine } = setUp({}, { first: 100, second: 100 })
    const first = Array.from({ length: 10 }, () => post(addressOf('first')).hash)
    const second = Array.from({ length: 10 }, () => post(addressOf('second')).hash)
    expect(mine(4)).toEqual([first[0], second[0], first[1], second[1]])
  })

  test('what a microblock of the open macroblock holds counts as a turn', () => {
    const { pool, post, clock } = setUp({}, { first: 100 })
    const first = Array.from({ length: 3 }, () => post(addressOf('first')).hash)
    const { hash } = post(honest.address)
    const taken = pool.take({
      limit: 2,
      nowMs: clock.now(),
      pendingTimeoutMs: 2000,
      isSettled: (one) => one === first[0],
    })
    expect(taken.map((entry) => entry.hash)).toEqual([hash, first[1]])
  })

  test('coins that arrive make a waiting transaction a covered one', () => {
    const { ledger, pool, post, mine } = setUp()
    for (let count = 0; count < 5; count++) post(addressOf(`sybil ${count}`))
    const { hash } = post(addressOf('late'))
    const account = addressOf('late')
    ledger.applyChanges({
      balances: [{ account, tokenId: native.id, before: undefined, after: 10n ** 12n }],
      ...{ tokens: [], stakePools: [], delegations: [], undelegations: [], calculated: [] },
    })
    pool.reconsider()
    expect(mine(1)).toEqual([hash])
  })

  test('uncovered transactions fill what is left, as payments out of coins that arrive in the same macroblock', () => {
    const { post, mine } = setUp()
    const dependent = post(addressOf('empty')).hash
    const { hash } = post(honest.address)
    expect(mine(3)).toEqual([hash, dependent])
  })
})

test('A-10: a payment of a funded sender is mined within a bounded number of macroblocks, whatever others posted', () => {
  const hostile = fc.array(
    fc.record({
      sender: fc.nat(40),
      count: fc.integer({ min: 1, max: 60 }),
      isTooMuch: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  const funds = fc.array(fc.nat(30), { maxLength: 12 })
  fc.assert(
    fc.property(
      hostile,
      hostile,
      funds,
      fc.integer({ min: 1, max: 24 }),
      (before, after, funded, capacity) => {
        const accounts = Object.fromEntries(funded.map((payments, at) => [`hostile ${at}`, payments]))
        const { pool, post, mine } = setUp({ maxTransactions: 200, maxPerSender: 50 }, accounts)
        const flood = (posts: typeof before) => {
          for (const { sender, count, isTooMuch } of posts)
            for (let made = 0; made < count; made++)
              post(addressOf(`hostile ${sender}`), isTooMuch ? { amount: (10n ** 18n) as never } : {})
        }
        flood(before)
        const { hash, outcome } = post(honest.address)
        expect(outcome).toBe('added')
        flood(after)
        expect(pool.size).toBeLessThanOrEqual(200)
        let macroblocks = 0
        while (pool.get(hash) !== undefined) {
          mine(capacity)
          macroblocks++
          flood(after.slice(0, 3))
          expect(pool.size).toBeLessThanOrEqual(200)
        }
        // Everybody who can pay has one turn at most before.
        expect(macroblocks).toBeLessThanOrEqual(Math.ceil((funded.length + 1) / capacity))
      },
    ),
    { numRuns: 60 },
  )
})

describe('expiry', () => {
  test('A-10: nothing waits longer than the expiry', async () => {
    const { clock, pool, post } = setUp({ expiryMs: 60_000 })
    const dropped: Hash[] = []
    pool.onDropped((hash) => dropped.push(hash))
    const { hash } = post(honest.address)
    await clock.advance(30_000)
    const later = post(honest.address).hash
    await clock.advance(29_999)
    expect(pool.get(hash)).toBeDefined()
    await clock.advance(1)
    expect([pool.get(hash), pool.size, pool.entries().length]).toEqual([undefined, 1, 1])
    await clock.advance(30_000)
    expect([pool.ofAccount(honest.address, 'from'), pool.countWaiting(() => false, 9), dropped]).toEqual([
      [],
      0,
      [hash, later],
    ])
  })

  test('time that it waited at another process counts', async () => {
    const { clock, pool } = setUp({ expiryMs: 60_000 })
    const { transaction, hash } = sent(honest.address)
    pool.adopt(transaction, hash, 59_000)
    await clock.advance(999)
    expect(pool.size).toBe(1)
    await clock.advance(1)
    expect(pool.size).toBe(0)
  })

  test('so it is with what no block can hold and with what was set aside', async () => {
    const { clock, pool, post } = setUp({ expiryMs: 1000 })
    post(honest.address)
    pool.setAside(pool.entries())
    await clock.advance(1000)
    expect(pool.size).toBe(0)
  })
})

test('senders that are gone leave nothing behind', () => {
  const { pool, post, mine } = setUp()
  for (let round = 0; round < 20; round++) {
    for (let count = 0; count < 50; count++) post(addressOf(`sybil ${round} ${count}`))
    while (mine(24).length > 0);
  }
  expect(pool.size).toBe(0)
  expect(post(addressOf('sybil 0 0')).outcome).toBe('added')
})

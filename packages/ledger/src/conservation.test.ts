import {
  type Address,
  encodeContractOrder,
  type FeeType,
  type Hash,
  sha256Hex,
  type Token,
  type TokenId,
  toAmount,
  transferFee,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClosedMacroblock, closeMacroblock } from './close-macroblock.ts'
import type { LedgerMacroblock, LedgerTransaction } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'
import { createLedgerState, type LedgerState } from './ledger-state.ts'
import { balancesOfMacroblock } from './touched-balances.ts'

const BLOCK_REWARD = 30460000000n
const accounts = Array.from({ length: 6 }, (_, at) => `02${sha256Hex(`account ${at}`)}` as Address)
const [genesis, owner] = accounts as [Address, Address]
const pools = [0, 1].map((at) => sha256Hex(`pool ${at}`))

const token = (id: TokenId, feeType: FeeType, feeValue: bigint, isMined: boolean): Token => ({
  id,
  owner: id === ZERO_TOKEN_ID ? genesis : owner,
  symbol: 'ABC',
  caption: null,
  decimals: 10,
  totalSupply: toAmount(10n ** 15n),
  isReissuable: !isMined,
  feeType,
  feeValue: toAmount(feeValue),
  feeMinimum: toAmount(50n),
  mining: isMined
    ? {
        maxSupply: toAmount(10n ** 15n + 10n ** 12n),
        blockReward: toAmount(id === ZERO_TOKEN_ID ? BLOCK_REWARD : 7_654_321n),
        minimumStake: toAmount(1n),
        referrerStake: toAmount(10n ** 11n),
        referralShareBps: 2574,
      }
    : null,
})

const tokenIds = [
  ZERO_TOKEN_ID,
  ...['fixed', 'percent', 'native fee'].map((name) => sha256Hex(name)),
] as TokenId[]
const [, fixed, percent, nativeFee] = tokenIds as [TokenId, TokenId, TokenId, TokenId]
const tokens = [
  token(ZERO_TOKEN_ID, 0, 10n ** 9n, true),
  token(fixed, 0, 77n, false),
  token(percent, 1, 649n, true),
  token(nativeFee, 2, 5n, false),
]
const tokenOf = new Map(tokens.map((given) => [given.id, given]))

const parameters: LedgerParameters = {
  nativeTokenId: ZERO_TOKEN_ID,
  genesis,
  rewardRatio: { proofOfActivityBps: 3181, proofOfStakeBps: 5500, proofOfWorkBps: 500 },
  feeShares: { keyBlockPublisherBps: 50, genesisBps: 300, leaderBps: 50, proofOfStakeBps: 9600 },
  maximumNativeStake: 3n * 10n ** 11n,
}

const anAccount = fc.constantFrom(...accounts)
const aTokenId = fc.constantFrom(...tokenIds, sha256Hex('unknown') as string as TokenId)
const someUnits = fc.oneof(
  fc.bigInt(0n, 10n ** 12n),
  fc.constantFrom(0n, 50n, 77n, 10n ** 9n, 10n ** 9n + 1n),
)
const manyUnits = fc.oneof(fc.bigInt(0n, 10n ** 13n), fc.constantFrom(0n, 10n ** 9n - 1n, 10n ** 11n))
const aPool = fc.constantFrom(...pools)
const coins = fc.bigInt(0n, 40n).map((whole) => toAmount(whole * 10n ** 10n))

const someData = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.constant('000c0200abcd'),
  fc
    .record({ poolId: aPool, amount: coins })
    .map((given) => encodeContractOrder({ type: 'delegate', ...given })),
  fc
    .record({ poolId: aPool, amount: coins })
    .map((given) => encodeContractOrder({ type: 'undelegate', ...given })),
  aPool.map((poolId) => encodeContractOrder({ type: 'pos_reward', poolId })),
  fc
    .record({ tokenId: fc.constantFrom(fixed, nativeFee), amount: someUnits.map(toAmount) })
    .chain((given) => fc.constantFrom('mint' as const, 'burn' as const).map((type) => ({ type, ...given })))
    .map(encodeContractOrder),
)

const someTransactions = fc.array(
  fc.oneof(
    fc.record({
      from: anAccount,
      to: anAccount,
      tokenId: aTokenId,
      amount: someUnits,
      data: fc.constant(''),
    }),
    fc.record({
      from: anAccount,
      to: fc.constant(genesis),
      tokenId: fc.constant(ZERO_TOKEN_ID),
      amount: someUnits,
      data: someData,
    }),
  ),
  { maxLength: 5 },
)

const aMacroblock = fc
  .record({
    publisher: anAccount,
    statBlocks: fc.uniqueArray(aPool, { maxLength: 2 }),
    // A small salt lets the same transaction appear twice.
    salts: fc.array(fc.nat(30), { minLength: 40, maxLength: 40 }),
    microblocks: fc.array(
      fc.record({
        publisher: anAccount,
        tokenId: aTokenId,
        referralAgent: fc.option(anAccount),
        transactions: someTransactions,
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ publisher, statBlocks, salts, microblocks }): LedgerMacroblock => {
    let at = 0
    const named = (given: Omit<LedgerTransaction, 'hash'>): LedgerTransaction => ({
      ...given,
      hash: sha256Hex(
        `transaction ${salts[at++ % salts.length]} ${given.from} ${given.amount} ${given.data}`,
      ),
    })
    return {
      keyBlock: { hash: sha256Hex('key block'), height: 9, publisher },
      statBlocks: statBlocks.map((pool) => ({ hash: sha256Hex(`vote ${pool}`), publisher: pool })),
      microblocks: microblocks.map((given, number) => ({
        ...given,
        hash: sha256Hex(`microblock ${number}`),
        transactions: given.transactions.map(named),
      })),
    }
  })

const aLedger = fc
  .record({
    amounts: fc.array(fc.option(manyUnits), {
      minLength: accounts.length * tokenIds.length,
      maxLength: accounts.length * tokenIds.length,
    }),
    stakes: fc.array(coins, { minLength: 4, maxLength: 4 }),
    poolFees: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ amounts, stakes, poolFees }) => () => {
    const rows = accounts.flatMap((account, a) =>
      tokenIds.flatMap((tokenId, t) => {
        const amount = amounts[a * tokenIds.length + t]
        return amount === null || amount === undefined ? [] : [{ account, tokenId, amount }]
      }),
    )
    return createLedgerState({
      tokens,
      balances: rows,
      stakePools: pools.map((id, at) => ({ id, owner, feeBps: poolFees[at] ?? 0, name: '' })),
      delegations: stakes.map((amount, at) => ({
        poolId: pools[at % 2] as Hash,
        delegator: accounts[2 + (at >> 1)] as Address,
        amount,
        reward: BigInt(at),
      })),
    })
  })

const contentOf = (state: LedgerState) => ({
  tokens,
  stakePools: [...state.stakePools()],
  delegations: pools.flatMap((id) => [...state.delegations(id)]),
})

const sum = (units: Iterable<bigint>): bigint => [...units].reduce((total, amount) => total + amount, 0n)

const held = (state: LedgerState, tokenId: TokenId): bigint =>
  sum([...state.balances()].filter((row) => row.tokenId === tokenId).map(({ amount }) => amount))

/** Native units anywhere: balances, delegated coins, claims, undelegated coins. */
const nativeUnits = (state: LedgerState): bigint =>
  held(state, ZERO_TOKEN_ID) +
  sum(pools.flatMap((id) => [...state.delegations(id)].map(({ amount, reward }) => amount + reward))) +
  sum([...state.undelegations()].map(({ amount, isClaimed }) => (isClaimed ? 0n : amount)))

function close(create: () => LedgerState, block: LedgerMacroblock, given: LedgerParameters = parameters) {
  const before = create()
  const after = create()
  const closed: ClosedMacroblock = closeMacroblock(before, block, given)
  after.applyChanges(closed.changes)
  return { before, after, ...closed }
}

const rows = (changes: ClosedMacroblock['changes']) =>
  changes.balances.map(({ account, tokenId, after }) => `${account} ${tokenId} ${after}`).sort()

describe('a closed macroblock', () => {
  it('adds exactly the block reward to the native units, whatever it holds', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const { before, after } = close(create, block)
        expect(nativeUnits(after) - nativeUnits(before)).toBe(BLOCK_REWARD)
      }),
      { numRuns: 400 },
    )
  })

  it('adds the stake share once more when the public fault is asked for and nobody voted', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const { before, after } = close(create, block, {
          ...parameters,
          stakeShareWithoutStatBlocks: 'twice',
        })
        const surplus = block.statBlocks.length === 0 ? 16753000000n : 0n
        expect(nativeUnits(after) - nativeUnits(before)).toBe(BLOCK_REWARD + surplus)
      }),
    )
  })

  it('adds to a custom token what its supply says, and at most one odd unit for each microblock', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const { before, after } = close(create, block)
        for (const tokenId of [fixed, percent, nativeFee]) {
          const supply =
            (after.token(tokenId)?.totalSupply ?? 0n) - (before.token(tokenId)?.totalSupply ?? 0n)
          const dust = held(after, tokenId) - held(before, tokenId) - supply
          expect(dust >= 0n && dust <= BigInt(block.microblocks.length)).toBe(true)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('never leaves a negative amount', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const { after } = close(create, block)
        expect([...after.balances()].every(({ amount }) => amount >= 0n)).toBe(true)
        expect(pools.every((id) => [...after.delegations(id)].every(({ amount }) => amount >= 0n))).toBe(true)
      }),
    )
  })

  it('is the same without its rejected and duplicate transactions', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const { changes, report } = close(create, block)
        const confirmed = new Set(
          report.transactions
            .filter(({ status }) => status === 'confirmed')
            .map(({ hash, microblockHash }) => hash + microblockHash),
        )
        const seen = new Set<string>()
        const onlyConfirmed = {
          ...block,
          microblocks: block.microblocks.map((microblock) => ({
            ...microblock,
            transactions: microblock.transactions.filter(({ hash }) => {
              const place = hash + microblock.hash
              return confirmed.has(place) && !seen.has(place) && seen.add(place)
            }),
          })),
        }
        const again = close(create, onlyConfirmed)
        expect(rows(again.changes)).toEqual(rows(changes))
        expect(again.report.confirmedCount).toBe(report.confirmedCount)
      }),
      { numRuns: 300 },
    )
  })

  it('confirms no transaction whose fee exceeds its amount', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const { report } = close(create, block)
        const sent = new Map(
          block.microblocks.flatMap(({ transactions }) => transactions).map((t) => [t.hash, t]),
        )
        for (const { hash, status } of report.transactions) {
          const transaction = sent.get(hash)
          const given = transaction && tokenOf.get(transaction.tokenId)
          if (status !== 'confirmed' || transaction === undefined || given === undefined) continue
          expect(transferFee(given, transaction.amount)).toBeLessThanOrEqual(transaction.amount)
        }
      }),
    )
  })

  it('comes to the same balances and statuses whatever the size of a batch', () => {
    fc.assert(
      fc.property(
        aLedger,
        aMacroblock,
        fc.integer({ min: 1, max: 5 }),
        (create, block, microblocksPerBatch) => {
          const whole = close(create, block)
          const parts = close(create, block, { ...parameters, microblocksPerBatch })
          expect(parts.report.transactions).toEqual(whole.report.transactions)
          expect(rows(parts.changes)).toEqual(rows(whole.changes))
          expect(parts.report.records).toHaveLength(whole.report.records.length)
        },
      ),
    )
  })

  it('D-7: is the same over a ledger that holds few balances, which all are read before the second attempt', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, fc.integer({ min: 0, max: 20 }), (create, block, some) => {
        const { before, changes, report } = close(create, block)
        const all = [...before.balances()]
        const few = createLedgerState({ ...contentOf(before), balances: 'unknown' })
        few.learnBalances(few.revision(), all.slice(0, some))
        const first = few.attempt(() => closeMacroblock(few, block, parameters))
        const touched = balancesOfMacroblock(block, { ledger: few, parameters })
        few.learnBalances(
          few.revision(),
          [...first.unread, ...touched].map((key) => ({
            ...key,
            amount: before.balance(key.account, key.tokenId),
          })),
        )
        expect(closeMacroblock(few, block, parameters)).toEqual({ changes, report })
      }),
    )
  })

  it('records every native unit that accounts gain by it', () => {
    fc.assert(
      fc.property(aLedger, aMacroblock, (create, block) => {
        const microblocks = block.microblocks.map((microblock) => ({ ...microblock, transactions: [] }))
        const { before, after, report } = close(create, { ...block, microblocks })
        const custom = microblocks.filter(({ tokenId }) => tokenId !== ZERO_TOKEN_ID).map(({ hash }) => hash)
        for (const account of accounts) {
          const recorded = report.records.filter(
            (record) => record.account === account && !custom.includes(record.hash),
          )
          const gain =
            (after.balance(account, ZERO_TOKEN_ID) ?? 0n) - (before.balance(account, ZERO_TOKEN_ID) ?? 0n)
          expect(sum(recorded.map(({ value }) => value))).toBe(gain)
        }
      }),
    )
  })
})

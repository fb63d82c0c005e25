import {
  type Address,
  encodeContractOrder,
  type Hash,
  sha256Hex,
  type Token,
  type TokenId,
  toAmount,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { closeMacroblock } from './close-macroblock.ts'
import type { LedgerMacroblock, LedgerMicroblock, LedgerTransaction } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'
import { createLedgerState, type LedgerContent, type LedgerState } from './ledger-state.ts'

const account = (name: string): Address => `02${sha256Hex(name)}` as Address
const [genesis, alice, bob, miner, leader] = ['genesis', 'alice', 'bob', 'miner', 'leader'].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const COIN = 10n ** 10n
const FEE = COIN / 10n
const BLOCK_REWARD = 30460000000n
const PROOF_OF_STAKE = 16753000000n

const native: Token = {
  id: ZERO_TOKEN_ID,
  owner: genesis,
  symbol: 'DEV',
  caption: null,
  decimals: 10,
  totalSupply: toAmount(10n ** 18n),
  isReissuable: false,
  feeType: 0,
  feeValue: toAmount(FEE),
  feeMinimum: toAmount(0n),
  mining: {
    maxSupply: toAmount(35n * 10n ** 17n),
    blockReward: toAmount(BLOCK_REWARD),
    minimumStake: toAmount(25n * COIN),
    referrerStake: toAmount(1000n * COIN),
    referralShareBps: 2574,
  },
}

const parameters: LedgerParameters = {
  nativeTokenId: ZERO_TOKEN_ID,
  genesis,
  rewardRatio: { proofOfActivityBps: 3181, proofOfStakeBps: 5500, proofOfWorkBps: 500 },
  feeShares: { keyBlockPublisherBps: 50, genesisBps: 300, leaderBps: 50, proofOfStakeBps: 9600 },
  maximumNativeStake: 25_000n * COIN,
}

const coins = (owner: Address, amount: bigint) => ({ account: owner, tokenId: ZERO_TOKEN_ID, amount })

const stateWith = (content: Partial<LedgerContent> = {}): LedgerState =>
  createLedgerState({
    tokens: [native],
    balances: [coins(genesis, 1000n * COIN), coins(alice, 1000n * COIN), coins(miner, 100n * COIN)],
    ...content,
  })

let salt = 0
const transaction = (given: Partial<LedgerTransaction> = {}): LedgerTransaction => ({
  hash: sha256Hex(`transaction ${salt++}`),
  from: alice,
  to: bob,
  amount: COIN,
  tokenId: ZERO_TOKEN_ID,
  data: '',
  ...given,
})

const microblock = (
  transactions: readonly LedgerTransaction[],
  given: Partial<LedgerMicroblock> = {},
): LedgerMicroblock => ({
  hash: sha256Hex(`microblock ${salt++}`),
  publisher: miner,
  tokenId: ZERO_TOKEN_ID,
  referralAgent: null,
  transactions,
  ...given,
})

const macroblock = (
  microblocks: readonly LedgerMicroblock[],
  given: Partial<LedgerMacroblock> = {},
): LedgerMacroblock => ({
  keyBlock: { hash: sha256Hex(`key block ${salt++}`), height: 5, publisher: leader },
  microblocks,
  statBlocks: [],
  ...given,
})

/** Closes macroblocks of one microblock each, one after the other. */
function send(state: LedgerState, ...batches: readonly (readonly LedgerTransaction[])[]) {
  return batches.map((transactions, at) => {
    const block = macroblock([microblock(transactions)], {
      keyBlock: { hash: sha256Hex(`key block ${salt++}`), height: 5 + at, publisher: leader },
    })
    const { changes, report } = closeMacroblock(state, block, parameters)
    state.applyChanges(changes)
    return report.transactions
  })
}

const order = (
  given: Parameters<typeof encodeContractOrder>[0],
  rest: Partial<LedgerTransaction> = {},
): LedgerTransaction => transaction({ to: genesis, amount: FEE, data: encodeContractOrder(given), ...rest })

const pool = { id: sha256Hex('pool'), owner: bob, feeBps: 1000, name: 'pool' }
const delegation = { poolId: pool.id, delegator: alice, amount: 500n * COIN, reward: 0n }

describe('a transaction', () => {
  it('is a duplicate for ever once it was rejected', () => {
    const poor = transaction({ amount: 5000n * COIN })
    const reports = send(stateWith(), [poor], [transaction(), poor])
    expect(reports[0]).toMatchObject([{ status: 'rejected', refusal: 'balanceBelowAmount' }])
    expect(reports[1]?.find(({ hash }) => hash === poor.hash)?.status).toBe('duplicate')
  })

  it('needs coins of the genesis account before that account earns the fee', () => {
    const state = stateWith({ balances: [coins(genesis, FEE - 1n), coins(alice, 10n * COIN)] })
    expect(send(state, [transaction()])[0]).toMatchObject([
      { status: 'rejected', refusal: 'tokenOwnerCannotPayFee' },
    ])
  })

  it('can leave the receiver nothing but a row', () => {
    const state = stateWith()
    send(state, [transaction({ amount: FEE })])
    expect(state.balance(bob, ZERO_TOKEN_ID)).toBe(0n)
  })
})

describe('the records of a macroblock', () => {
  const refused = () => transaction({ data: '000c0200abcd' })
  const order10 = (size: number) => {
    const microblocks = Array.from({ length: 12 }, (_, at) => {
      const hash = at.toString(16).padStart(64, '0') as Hash
      return microblock([at === 11 || at === 1 ? refused() : transaction()], { hash })
    })
    const given = { ...parameters, microblocksPerBatch: size }
    const { report } = closeMacroblock(stateWith(), macroblock(microblocks), given)
    const hashes = report.records.filter(({ type }) => type === 'iin').map(({ hash }) => hash)
    const places = report.transactions.map(({ hash }) => hash)
    return hashes.map((hash) => places.indexOf(hash))
  }

  it('begin with the refused contracts of each batch of ten microblocks', () => {
    expect(order10(10)).toEqual([1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10])
  })

  it('follow the transactions when a batch is one microblock', () => {
    expect(order10(1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('leave out the publisher share of the fees when the publisher had no balance before', () => {
    const { report } = closeMacroblock(stateWith(), macroblock([microblock([transaction()])]), parameters)
    expect(report.records.filter(({ account: owner }) => owner === leader).map(({ type }) => type)).toEqual([
      'ik',
    ])
    expect(report.records.find(({ type }) => type === 'ifg')?.value).toBe((FEE * 350n) / 10_000n)
  })

  it('leave out a reward for a publisher without a balance', () => {
    const block = macroblock([microblock([], { publisher: account('nobody') }), microblock([])])
    const { report, changes } = closeMacroblock(stateWith(), block, parameters)
    expect(report.records.filter(({ type }) => type === 'im').map(({ account: owner }) => owner)).toEqual([
      miner,
    ])
    expect(changes.balances.some((change) => change.account === account('nobody'))).toBe(false)
  })
})

describe('a macroblock without statblocks', () => {
  const genesisGain = (given: Partial<LedgerParameters>, height: number) => {
    const keyBlock = { hash: sha256Hex('k'), height, publisher: leader }
    const block = macroblock([], { keyBlock })
    const { changes } = closeMacroblock(stateWith(), block, { ...parameters, ...given })
    const change = changes.balances.find(({ account: owner }) => owner === genesis)
    return (change?.after ?? 0n) - (change?.before ?? 0n)
  }
  const once = BLOCK_REWARD - 1523000000n

  it('pays the stake share to the genesis account once', () => {
    expect(genesisGain({}, 5)).toBe(once)
  })

  it('pays it twice when the fault of the public software is asked for, but for the origin', () => {
    expect(genesisGain({ stakeShareWithoutStatBlocks: 'twice' }, 5)).toBe(once + PROOF_OF_STAKE)
    expect(genesisGain({ stakeShareWithoutStatBlocks: 'twice' }, 0)).toBe(once)
  })

  it('pays the genesis account too when the voting pool is unknown or has no stake', () => {
    for (const stakePools of [[], [pool]]) {
      const block = macroblock([], { statBlocks: [{ hash: sha256Hex('s'), publisher: pool.id }] })
      const { report } = closeMacroblock(stateWith({ stakePools }), block, parameters)
      expect(report.records.find(({ type }) => type === 'idust')?.value).toBe(once)
    }
  })
})

describe('a microblock in a token the ledger does not know', () => {
  it('pays nothing', () => {
    const block = macroblock([microblock([], { tokenId: sha256Hex('unknown') as string as TokenId })])
    const { report } = closeMacroblock(stateWith(), block, parameters)
    expect(report.microblockRewards).toMatchObject([{ reward: 0n }])
    expect(report.records.map(({ type }) => type)).toEqual(['ik', 'ifg', 'idust'])
  })
})

describe('a stake pool', () => {
  it('is created, filled and emptied again by contracts', () => {
    const state = stateWith()
    const creation = order({ type: 'create_pos', feeBps: 500, name: 'mine' })
    const poolId = creation.hash
    const delegate = order({ type: 'delegate', poolId, amount: toAmount(30n * COIN) })
    const undelegate = order({ type: 'undelegate', poolId, amount: toAmount(10n * COIN) })
    const claim = order({ type: 'transfer', undelegationId: undelegate.hash })
    const again = order({ type: 'transfer', undelegationId: undelegate.hash })
    const reports = send(state, [creation], [delegate], [undelegate], [claim], [again])
    expect(reports.flat().map(({ status, refusal }) => refusal ?? status)).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
      'confirmed',
      'undelegationUnknown',
    ])
    expect(state.stakePool(poolId)).toEqual({ id: poolId, owner: alice, feeBps: 500, name: 'mine' })
    expect(state.delegation(poolId, alice)?.amount).toBe(20n * COIN)
    expect(state.undelegation(undelegate.hash)).toMatchObject({
      amount: 10n * COIN,
      height: 7,
      isClaimed: true,
    })
    expect(state.balance(alice, ZERO_TOKEN_ID)).toBe(980n * COIN - 4n * FEE)
  })

  it('keeps undelegated coins until the lock is over', () => {
    const undelegation = {
      id: sha256Hex('u'),
      poolId: pool.id,
      delegator: alice,
      amount: COIN,
      height: 5,
      isClaimed: false,
    }
    const claim = (height: number) => {
      const keyBlock = { hash: sha256Hex('k'), height, publisher: leader }
      const block = macroblock([microblock([order({ type: 'transfer', undelegationId: undelegation.id })])], {
        keyBlock,
      })
      const state = stateWith({ stakePools: [pool], undelegations: [undelegation] })
      return closeMacroblock(state, block, { ...parameters, undelegationLockBlocks: 8 }).report
        .transactions[0]
    }
    expect(claim(12)).toMatchObject({ status: 'rejected', refusal: 'undelegationLocked' })
    expect(claim(13)).toMatchObject({ status: 'confirmed' })
  })

  it('pays delegators into a claim, which a contract moves to the balance with a record', () => {
    const state = stateWith({ stakePools: [pool], delegations: [delegation] })
    const statBlocks = [{ hash: sha256Hex('s'), publisher: pool.id }]
    state.applyChanges(closeMacroblock(state, macroblock([], { statBlocks }), parameters).changes)
    const earned = PROOF_OF_STAKE - PROOF_OF_STAKE / 10n
    expect(state.delegation(pool.id, alice)?.reward).toBe(earned)
    const block = macroblock([microblock([order({ type: 'pos_reward', poolId: pool.id })])])
    const { changes, report } = closeMacroblock(state, block, parameters)
    state.applyChanges(changes)
    expect(state.delegation(pool.id, alice)?.reward).toBe(0n)
    expect(state.balance(alice, ZERO_TOKEN_ID)).toBe(1000n * COIN - FEE + earned)
    expect(report.records.slice(0, 3).map(({ type, value }) => [type, value])).toEqual([
      ['iin', FEE],
      ['iout', FEE],
      ['ic', earned],
    ])
  })

  it.each([
    [
      'a pool that is unknown',
      order({ type: 'delegate', poolId: sha256Hex('x'), amount: toAmount(COIN) }),
      'stakePoolUnknown',
    ],
    [
      'more than the sender has',
      order({ type: 'delegate', poolId: pool.id, amount: toAmount(1000n * COIN) }),
      'balanceBelowContractAmount',
    ],
    [
      'more than was delegated',
      order({ type: 'undelegate', poolId: pool.id, amount: toAmount(501n * COIN) }),
      'delegationTooSmall',
    ],
    ['a claim of nothing', order({ type: 'pos_reward', poolId: pool.id }), 'noStakingReward'],
    [
      'an undelegation that is unknown',
      order({ type: 'transfer', undelegationId: sha256Hex('x') }),
      'undelegationUnknown',
    ],
  ])('refuses %s and takes no fee for it', (_, given, refusal) => {
    const state = stateWith({ stakePools: [pool], delegations: [delegation] })
    expect(send(state, [given])[0]).toMatchObject([{ status: 'rejected', refusal }])
    expect(state.balance(alice, ZERO_TOKEN_ID)).toBe(1000n * COIN)
  })
})

describe('a contract', () => {
  const creation = (rest: Partial<LedgerTransaction> = {}) =>
    order(
      { type: 'create_token', token: { ...native, caption: 'own', mining: null, isReissuable: true } },
      rest,
    )

  it('names its token after the transaction and credits the creator', () => {
    const state = stateWith()
    const given = creation()
    send(state, [given])
    const id = given.hash as string as TokenId
    expect(state.token(id)).toMatchObject({ id, owner: alice, caption: 'own', mining: null })
    expect(state.balance(alice, id)).toBe(native.totalSupply)
  })

  it('costs its price on top of the fee', () => {
    const priced = { ...parameters, contractPrices: { create_token: 7n } }
    const status = (amount: bigint) =>
      closeMacroblock(stateWith(), macroblock([microblock([creation({ amount })])]), priced).report
        .transactions[0]
    expect(status(FEE + 6n)).toMatchObject({ refusal: 'amountBelowContractPrice' })
    expect(status(FEE + 7n)).toMatchObject({ status: 'confirmed' })
  })

  it.each([
    ['cannot be decoded', { data: '000c0200abcd', to: genesis }, 'contractUndecodable'],
    ['has a wrong form', { data: '00230100001b0f0000090d00a000a080012', to: genesis }, 'contractMalformed'],
    ['is sent to somebody', { to: bob, data: creation().data }, 'contractNotSentToGenesis'],
    [
      'is paid in another token',
      { tokenId: sha256Hex('t') as string as TokenId, to: genesis, data: creation().data },
      'contractNotPaidInNativeToken',
    ],
  ])('is rejected when it %s', (_, given, refusal) => {
    expect(send(stateWith(), [transaction(given)])[0]).toMatchObject([{ status: 'rejected', refusal }])
  })

  it('takes its transfer back when it cannot be carried out', () => {
    const state = stateWith()
    const tokenId = creation().hash
    expect(send(state, [order({ type: 'mint', tokenId, amount: toAmount(1n) })])[0]).toMatchObject([
      { refusal: 'contractTokenUnknown' },
    ])
    expect(state.balance(alice, ZERO_TOKEN_ID)).toBe(1000n * COIN)
  })
})

it('needs a native token in the ledger', () => {
  expect(() => closeMacroblock(stateWith({ tokens: [] }), macroblock([]), parameters)).toThrow(
    expect.objectContaining({ code: 'TOKEN_UNKNOWN' }),
  )
})

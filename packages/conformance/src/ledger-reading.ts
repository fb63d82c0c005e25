import type {
  Balance,
  Delegation,
  LedgerParameters,
  LedgerTransaction,
  RecordType,
  StakePool,
} from '@hailstone/ledger'
import {
  type Address,
  type FeeShares,
  type FeeType,
  type Hash,
  type JsonValue,
  type MiningRule,
  type RewardRatio,
  type Token,
  type TokenId,
  toAmount,
} from '@hailstone/protocol'
import { asList, asObject, asText, type Case } from './case.ts'

/**
 * Parses what recorded ledgers and ledger vectors share. Identifiers are not checked, since some cases are about
 * malformed ones.
 */
export const asUnits = (value: JsonValue | undefined): bigint => BigInt(asText(value))

export const asAddress = (value: JsonValue | undefined): Address => asText(value) as Address
export const asHash = (value: JsonValue | undefined): Hash => asText(value) as Hash
export const asTokenId = (value: JsonValue | undefined): TokenId => asText(value) as TokenId

/** Returns the decimal text of an amount in any form; null if absent. */
export const textOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : asText(value)

const miningOf = (given: Case): MiningRule | null =>
  asText(given.minable) === '1'
    ? {
        maxSupply: toAmount(asUnits(given.max_supply)),
        blockReward: toAmount(asUnits(given.block_reward)),
        minimumStake: toAmount(asUnits(given.min_stake)),
        referrerStake: toAmount(asUnits(given.referrer_stake)),
        referralShareBps: Number(asUnits(given.ref_share)),
      }
    : null

export const readToken = (given: Case): Token => ({
  id: asTokenId(given.hash),
  owner: asAddress(given.owner),
  feeType: Number(asUnits(given.fee_type)) as FeeType,
  feeValue: toAmount(asUnits(given.fee_value)),
  feeMinimum: toAmount(asUnits(given.fee_min)),
  symbol: asText(given.ticker),
  caption: textOrNull(given.caption) ?? '',
  decimals: Number(asUnits(given.decimals)),
  totalSupply: toAmount(asUnits(given.total_supply)),
  isReissuable: asText(given.reissuable) === '1',
  mining: miningOf(given),
})

/** Returns a token by its wire names, numbers as text, for comparison with {@link tokenTexts}. */
export const writeToken = (token: Token): Case => ({
  hash: token.id,
  owner: token.owner,
  fee_type: String(token.feeType),
  fee_value: token.feeValue.toString(),
  fee_min: token.feeMinimum.toString(),
  ticker: token.symbol,
  caption: token.caption,
  decimals: String(token.decimals),
  total_supply: token.totalSupply.toString(),
  reissuable: token.isReissuable ? '1' : '0',
  minable: token.mining === null ? '0' : '1',
  max_supply: token.mining?.maxSupply.toString() ?? null,
  block_reward: token.mining?.blockReward.toString() ?? null,
  min_stake: token.mining?.minimumStake.toString() ?? null,
  referrer_stake: token.mining?.referrerStake.toString() ?? null,
  ref_share: token.mining === null ? null : String(token.mining.referralShareBps),
})

/** Returns the members of a given token that {@link writeToken} writes. */
export const tokenTexts = (given: Case, names: readonly string[]): Case =>
  Object.fromEntries(names.map((name) => [name, textOrNull(given[name])]))

export const readBalance = (value: JsonValue): Balance => {
  const given = asObject(value)
  return { account: asAddress(given.id), tokenId: asTokenId(given.token), amount: asUnits(given.amount) }
}

export const readTransaction = (given: Case): LedgerTransaction => ({
  hash: asHash(given.hash),
  from: asAddress(given.from),
  to: asAddress(given.to),
  amount: asUnits(given.amount),
  tokenId: asTokenId(given.ticker),
  data: asText(given.data),
})

export const readStakePool = (value: JsonValue): StakePool => {
  const given = asObject(value)
  return {
    id: asHash(given.id),
    owner: asAddress(given.owner),
    feeBps: Number(asUnits(given.fee)),
    name: asText(given.name),
  }
}

export const readDelegation = (value: JsonValue): Delegation => {
  const given = asObject(value)
  return {
    poolId: asHash(given.pos_id),
    delegator: asAddress(given.delegator),
    amount: asUnits(given.amount),
    reward: asUnits(given.reward ?? 0n),
  }
}

const readRatio = (given: Case): RewardRatio => ({
  proofOfActivityBps: Number(given.poa),
  proofOfStakeBps: Number(given.pos),
  proofOfWorkBps: Number(given.pow),
})

const readFeeShares = (given: Case): FeeShares => ({
  keyBlockPublisherBps: Number(given.pow_share),
  genesisBps: Number(given.gen_share),
  leaderBps: Number(given.ldr_share),
  proofOfStakeBps: Number(given.pos_share),
})

/**
 * Rules of the recorded software, including its fault without statblocks (PROTOCOL 6.5). The first token of every
 * file is the native one.
 */
export const readParameters = (given: {
  readonly genesis: JsonValue | undefined
  readonly tokens: JsonValue | undefined
  readonly rewardRatio: JsonValue | undefined
  readonly feeShares: JsonValue | undefined
  readonly maximumStake: JsonValue | undefined
  readonly tokenPrice: JsonValue | undefined
}): LedgerParameters => ({
  nativeTokenId: asTokenId(asObject(asList(given.tokens)[0]).hash),
  genesis: asAddress(given.genesis),
  rewardRatio: readRatio(asObject(given.rewardRatio)),
  feeShares: readFeeShares(asObject(given.feeShares)),
  maximumNativeStake: asUnits(given.maximumStake ?? 0n),
  contractPrices: { create_token: asUnits(given.tokenPrice ?? 0n) },
  stakeShareWithoutStatBlocks: 'twice',
})

/** Returns history records by their wire names, in order. */
export const writeRecords = (
  records: Iterable<{
    readonly type: RecordType
    readonly account: string
    readonly hash: string
    readonly value: bigint
  }>,
): readonly Case[] =>
  Array.from(records, ({ type, account, hash, value }) => ({
    rectype: type,
    id: account,
    hash,
    value: value.toString(),
  }))

/** Reduces objects to some members as text and sorts them, for lists without a defined order. */
export const asSet = (values: Iterable<JsonValue>, names: readonly string[]): readonly Case[] =>
  inOrder(Array.from(values, (value) => tokenTexts(asObject(value), names)))

export const inOrder = (values: readonly Case[]): readonly Case[] =>
  [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

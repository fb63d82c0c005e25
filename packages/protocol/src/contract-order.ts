import {
  type Contract,
  type ContractParameter,
  decodeContract,
  encodeContract,
  looksLikeContract,
} from './contract.ts'
import { contractRefusal } from './contract-form.ts'
import { isNodeError } from './errors/node-error.ts'
import type { FeeType, MiningRule, Token } from './token.ts'
import { type Amount, isAmount, toAmount } from './values/amount.ts'

/** The order of a well-formed contract. */
export type ContractOrder =
  | { readonly type: 'create_token'; readonly token: Omit<Token, 'id' | 'owner'> }
  /** The token id is kept as sent; in upper case it matches no token. */
  | { readonly type: 'mint' | 'burn'; readonly tokenId: string; readonly amount: Amount }
  | { readonly type: 'delegate' | 'undelegate'; readonly poolId: string; readonly amount: Amount }
  | { readonly type: 'transfer'; readonly undelegationId: string }
  | { readonly type: 'pos_reward'; readonly poolId: string }
  | { readonly type: 'create_pos'; readonly feeBps: number; readonly name: string }

/** Interpretation of `data` by the network. */
export type ContractReading =
  | { readonly kind: 'memo' }
  /** POST /tx answers HTTP 500. */
  | { readonly kind: 'undecodable'; readonly reason: string }
  /** POST /tx answers with this message. */
  | { readonly kind: 'refused'; readonly message: string }
  /** `order` is null if an unchecked value cannot be stored; the calculation then rejects it. */
  | { readonly kind: 'contract'; readonly contract: Contract; readonly order: ContractOrder | null }

const string = (key: string, value: string): ContractParameter => ({ key, type: 'string', value })
const int = (key: string, value: number): ContractParameter => ({ key, type: 'int', value: BigInt(value) })
const bigint = (key: string, value: bigint | number): ContractParameter => ({
  key,
  type: 'bigint',
  value: BigInt(value),
})

const miningParameters = (rule: MiningRule): readonly ContractParameter[] => [
  bigint('max_supply', rule.maxSupply),
  bigint('block_reward', rule.blockReward),
  bigint('min_stake', rule.minimumStake),
  bigint('referrer_stake', rule.referrerStake),
  bigint('ref_share', rule.referralShareBps),
]

const tokenParameters = (token: Omit<Token, 'id' | 'owner'>): readonly ContractParameter[] => [
  int('fee_type', token.feeType),
  bigint('fee_value', token.feeValue),
  ...(token.feeType === 1 ? [bigint('fee_min', token.feeMinimum)] : []),
  string('ticker', token.symbol),
  bigint('decimals', token.decimals),
  bigint('total_supply', token.totalSupply),
  string('name', token.caption ?? ''),
  int('minable', token.mining === null ? 0 : 1),
  int('reissuable', token.isReissuable ? 1 : 0),
  ...(token.mining === null ? [] : miningParameters(token.mining)),
]

function parametersOf(order: ContractOrder): readonly ContractParameter[] {
  switch (order.type) {
    case 'create_token':
      return tokenParameters(order.token)
    case 'mint':
    case 'burn':
      return [string('token_hash', order.tokenId), bigint('amount', order.amount)]
    case 'delegate':
    case 'undelegate':
      return [string('pos_id', order.poolId), bigint('amount', order.amount)]
    case 'transfer':
      return [string('undelegate_id', order.undelegationId)]
    case 'pos_reward':
      return [string('pos_id', order.poolId)]
    case 'create_pos':
      return [bigint('fee', order.feeBps), string('name', order.name)]
  }
}

/** Encodes an order for `data`, with parameters in the customary order (PROTOCOL 7.2–7.5). */
export const encodeContractOrder = (order: ContractOrder): string =>
  encodeContract({ type: order.type, parameters: parametersOf(order) })

type Values = ReadonlyMap<string, bigint | string>

const textOf = (values: Values, key: string): string => String(values.get(key) ?? '')

function unitsOf(values: Values, key: string): bigint {
  const value = values.get(key)
  return typeof value === 'bigint' ? value : 0n
}

const amountOf = (values: Values, key: string): Amount => toAmount(unitsOf(values, key))

const miningOf = (values: Values): MiningRule | null =>
  unitsOf(values, 'minable') === 1n
    ? {
        maxSupply: amountOf(values, 'max_supply'),
        blockReward: amountOf(values, 'block_reward'),
        minimumStake: amountOf(values, 'min_stake'),
        referrerStake: amountOf(values, 'referrer_stake'),
        referralShareBps: Number(unitsOf(values, 'ref_share')),
      }
    : null

function tokenOf(values: Values): ContractOrder | null {
  const feeValue = amountOf(values, 'fee_value')
  const givenMinimum = unitsOf(values, 'fee_min')
  // Only percentage fees have their minimum checked. That of others may be too large for the database.
  if (!isAmount(givenMinimum)) return null
  return {
    type: 'create_token',
    token: {
      feeType: Number(unitsOf(values, 'fee_type')) as FeeType,
      feeValue,
      feeMinimum: givenMinimum === 0n ? feeValue : givenMinimum,
      symbol: textOf(values, 'ticker'),
      caption: textOf(values, 'name'),
      decimals: Number(unitsOf(values, 'decimals')),
      totalSupply: amountOf(values, 'total_supply'),
      isReissuable: unitsOf(values, 'reissuable') === 1n,
      mining: miningOf(values),
    },
  }
}

/** Requires a contract that {@link contractRefusal} accepts. */
function orderOf({ type, parameters }: Contract): ContractOrder | null {
  const values: Values = new Map(parameters.map(({ key, value }) => [key, value]))
  switch (type) {
    case 'create_token':
      return tokenOf(values)
    case 'mint':
    case 'burn':
      return { type, tokenId: textOf(values, 'token_hash'), amount: amountOf(values, 'amount') }
    case 'delegate':
    case 'undelegate':
      return { type, poolId: textOf(values, 'pos_id'), amount: amountOf(values, 'amount') }
    case 'transfer':
      return { type, undelegationId: textOf(values, 'undelegate_id') }
    case 'pos_reward':
      return { type, poolId: textOf(values, 'pos_id') }
    case 'create_pos':
      return { type, feeBps: Number(unitsOf(values, 'fee')), name: textOf(values, 'name') }
    case 'custom':
    case 'exchange':
      return null
  }
}

const memo: ContractReading = { kind: 'memo' }

/**
 * Classifies `data` as a memo, a contract, or a contract that the network refuses, with the reason (PROTOCOL 2.4,
 * 7.5).
 */
export function readContract(data: string): ContractReading {
  if (!looksLikeContract(data)) return memo
  try {
    const contract = decodeContract(data)
    const message = contractRefusal(contract)
    return message === null
      ? { kind: 'contract', contract, order: orderOf(contract) }
      : { kind: 'refused', message }
  } catch (error) {
    if (!isNodeError(error, 'CONTRACT_MALFORMED')) throw error
    return { kind: 'undecodable', reason: error.facts.reason }
  }
}

import type { Address } from './values/address.ts'
import type { Amount } from './values/amount.ts'
import type { TokenId } from './values/token-id.ts'

/** 0 fixed, 1 in 1/10000 of the net amount, 2 fixed and paid in the native token. */
export type FeeType = 0 | 1 | 2

/** Fee rule of a token's transfers (PROTOCOL 2.7). */
export type FeeRule = { readonly feeType: FeeType; readonly feeValue: Amount; readonly feeMinimum: Amount }

/** Rewards and conditions of mining a token. */
export type MiningRule = {
  readonly maxSupply: Amount
  /** Units per macroblock, referral part included. */
  readonly blockReward: Amount
  /** Minimum balance in the token for a publication. */
  readonly minimumStake: Amount
  /** Minimum balance in the token for a referral agent to earn. */
  readonly referrerStake: Amount
  /** Referral share of the mining reward in 1/10000. */
  readonly referralShareBps: number
}

/** A token in the ledger. */
export type Token = FeeRule & {
  readonly id: TokenId
  readonly owner: Address
  /** Short name for people, 1–6 capital letters; not unique. */
  readonly symbol: string
  readonly caption: string | null
  /** 0 … 10 */
  readonly decimals: number
  readonly totalSupply: Amount
  readonly isReissuable: boolean
  /** Null for a token that is not mined. */
  readonly mining: MiningRule | null
}

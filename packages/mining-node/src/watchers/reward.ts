import type { Address, Amount, Hash, TokenId } from '@hailstone/protocol'

/**
 * Kind of a reward: `miner` own microblock, `referral` the miner's half for having an agent, `agent` the half for
 * having invited the miner, `tokenOwner` the rest of a referral that nobody else earned, `other` key blocks, stake
 * pools, fees and types that are not known yet (PROTOCOL 6.7).
 */
export type RewardRole = 'miner' | 'referral' | 'agent' | 'tokenOwner' | 'other'

/** One reward of an account. */
export type Reward = {
  /** The account that was paid. */
  readonly address: Address
  /** Running number among all records of the account: grows, with gaps. Keep the last one as cursor. */
  readonly index: number
  /** Type on the wire: `im`, `iref`, `ik`, … */
  readonly recordType: string
  readonly role: RewardRole
  /** Units of the token. */
  readonly amount: Amount
  /** Null when the network does not say. */
  readonly tokenId: TokenId | null
  /** Hash of what was paid for, as the history has it: a microblock, key block, statblock or transaction. */
  readonly recordHash: Hash
  /** The microblock that was paid for; null for rewards of another kind. */
  readonly microblockHash: Hash | null
  /**
   * Miner of that microblock; for an agent's referral reward the account that was invited. Null if the network does
   * not say.
   */
  readonly miner: Address | null
  /** Of the macroblock; null when the network does not say. */
  readonly height: number | null
  /** Time of the key block, in Unix milliseconds. */
  readonly timeMs: number
  /** Base of the API node that reported it, and the time in Unix milliseconds. */
  readonly source: string
  /** Unix milliseconds at which this program read it. */
  readonly readAtMs: number
}

import type { Address, Amount, Hash, MicroblockHeader, TokenId } from '@hailstone/protocol'

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
  readonly readAtMs: number
}

const OWN_MICROBLOCK = 'im'
const REFERRAL = 'iref'
const KEY_BLOCK_TYPES: ReadonlySet<string> = new Set(['ik', 'ifk', 'ifg', 'ifl', 'idust'])

export const isOfMicroblock = (recordType: string): boolean =>
  recordType === OWN_MICROBLOCK || recordType === REFERRAL

export const isReferral = (recordType: string): boolean => recordType === REFERRAL

export const isOfKeyBlock = (recordType: string): boolean => KEY_BLOCK_TYPES.has(recordType)

/**
 * Reads from the microblock's header why it paid this account (PROTOCOL 6.4). The publisher's half comes
 * before the other, which tells them apart for someone who is both.
 *
 * @param parameters.isSecondOfBlock whether the same microblock paid this account a referral reward before
 */
export function rewardRole(parameters: {
  readonly recordType: string
  readonly address: Address
  readonly header: Pick<MicroblockHeader, 'publisher' | 'referralAgent'> | undefined
  readonly isSecondOfBlock: boolean
}): RewardRole {
  const { recordType, address, header, isSecondOfBlock } = parameters
  if (recordType === OWN_MICROBLOCK) return 'miner'
  if (recordType !== REFERRAL || header === undefined) return 'other'
  const { publisher, referralAgent } = header
  // Without an agent the publisher gets no half: all of it is the token owner's.
  if (publisher === address && referralAgent !== null && !isSecondOfBlock) return 'referral'
  return referralAgent === address ? 'agent' : 'tokenOwner'
}

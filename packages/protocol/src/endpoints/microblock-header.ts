import { address, amount, count, hash, orNull, tokenId } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'

/** Publisher and reward of a microblock. */
export const microblockHeader = record({
  keyBlockHash: ['kblocks_hash', hash],
  publisher: address,
  referralAgent: ['referrer', orNull(address)],
  hash: ['mblocks_hash', hash],
  reward: orNull(amount),
  nonce: count,
  tokenId: ['token', tokenId],
})

/** Header of a microblock. `reward` is the publisher's, in units of the mined token and without referral reward. */
export type MicroblockHeader = Value<typeof microblockHeader>

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

export type MicroblockHeader = Value<typeof microblockHeader>

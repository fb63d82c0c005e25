import { address, amount, count, hash, signature, status, text, tokenId } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'

/** A transaction in a microblock. `amount` is gross; there is no fee member. */
export const blockTransaction = record({
  hash,
  from: address,
  to: address,
  amount,
  microblockHash: ['mblocks_hash', hash],
  nonce: count,
  status,
  signature: ['sign', signature],
  tokenId: ['ticker', tokenId],
  data: text,
})

/** A transaction in a microblock or macroblock. Amounts are in units of its token. */
export type BlockTransaction = Value<typeof blockTransaction>

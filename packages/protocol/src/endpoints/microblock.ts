import { address, amount, count, hash, list, optional, orNull, tokenId } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { blockTransaction } from './block-transaction.ts'
import { defineEndpoint, required } from './define-endpoint.ts'

const microblockHeader = record({
  keyBlockHash: ['kblocks_hash', hash],
  publisher: address,
  referralAgent: ['referrer', orNull(address)],
  hash: ['mblocks_hash', hash],
  reward: orNull(amount),
  nonce: count,
  tokenId: ['token', tokenId],
})

/** `GET /mblock`: without header when the microblock is unknown or not calculated. */
export const microblockEndpoint = defineEndpoint({
  path: '/mblock',
  parameters: { hash: required('hash', 'hash') },
  answer: record({ transactions: list(blockTransaction), header: optional(microblockHeader) }),
})

export type MicroblockAnswer = Value<typeof microblockEndpoint.answer>
export type MicroblockHeader = Value<typeof microblockHeader>

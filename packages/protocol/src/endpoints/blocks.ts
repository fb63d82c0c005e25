import { address, amount, count, hash, list, optional, orNull } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { blockTransaction } from './block-transaction.ts'
import { defineEndpoint, maybe, required } from './define-endpoint.ts'
import { keyBlock } from './macroblocks.ts'

const statBlockHeader = record({
  keyBlockHash: ['kblocks_hash', hash],
  publisher: hash,
  hash: ['sblocks_hash', hash],
  reward: orNull(amount),
})

/** Answer of `GET /sblock`; `header` is missing if the statblock is unknown. */
export const statBlock = record({ header: optional(statBlockHeader) })

/** `GET /sblock`: an empty object if the statblock is unknown. */
export const statBlockEndpoint = defineEndpoint({
  path: '/sblock',
  parameters: { hash: required('hash', 'hash') },
  answer: statBlock,
})

/** `GET /lastblocks`: up to ten calculated key blocks, newest first. */
export const lastBlocksEndpoint = defineEndpoint({
  path: '/lastblocks',
  answer: record({ blocks: list(keyBlock) }),
})

/** `GET /lasttxs`: up to ten transactions of the newest calculated macroblock, unordered. */
export const lastTransactionsEndpoint = defineEndpoint({
  path: '/lasttxs',
  answer: record({ transactions: ['txs', list(blockTransaction)] }),
})

const microblockPlace = record({
  keyBlockHash: ['k_hash', hash],
  hash: ['m_hash', hash],
  publisher: address,
  reward: orNull(amount),
  time: ['k_time', count],
  height: count,
})

/** `GET /mblocks`: included microblocks of `limit` heights from `offset` on, at most ten heights. */
export const microblocksEndpoint = defineEndpoint({
  path: '/mblocks',
  parameters: { offset: maybe('height', 'offset'), limit: maybe('count', 'limit') },
  answer: list(microblockPlace),
})

/** Header of a statblock: its key block, publisher and reward in native units. */
export type StatBlockHeader = Value<typeof statBlockHeader>
/** Position of an included microblock in the chain, an entry of `GET /mblocks`. */
export type MicroblockPlace = Value<typeof microblockPlace>

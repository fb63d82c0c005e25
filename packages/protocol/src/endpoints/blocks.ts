import {
  address,
  amount,
  count,
  hash,
  list,
  only,
  optional,
  orNull,
  text,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe, required } from './define-endpoint.ts'
import { blockTransaction } from './transactions.ts'

/** `GET /height`: the open tail; the member is absent at height 0. */
export const heightEndpoint = defineEndpoint({ path: '/height', answer: record({ height: optional(count) }) })

const leaderSignature = record({ type: only('Buffer'), bytes: ['data', list(count)] })

export const keyBlockFields = {
  hash,
  height: ['n', count],
  time: count,
  publisher: address,
  nonce: count,
  link: hash,
  sprout: hash,
  merkleRoot: ['m_root', text],
  leaderSignature: ['leader_sign', optional(orNull(leaderSignature))],
  reward: orNull(amount),
  targetDifficulty: ['target_diff', count],
} as const

export const keyBlock = record(keyBlockFields)

const microblockSummary = record({ hash, transactionCount: ['tx_cnt', count] })
const statBlockSummary = record({ hash })

const macroblockFields = {
  keyBlock: ['kblock', optional(keyBlock)],
  microblocks: ['mblocks', list(microblockSummary)],
  statBlocks: ['sblocks', list(statBlockSummary)],
} as const

/** `GET /macroblock_by_height`: never answers for an unknown height on the public network. */
export const macroblockByHeightEndpoint = defineEndpoint({
  path: '/macroblock_by_height',
  parameters: { height: required('height', 'height') },
  answer: record(macroblockFields),
})

/** `GET /macroblock`: without key block when the hash is unknown. */
export const macroblockEndpoint = defineEndpoint({
  path: '/macroblock',
  parameters: { hash: required('hash', 'hash') },
  answer: record({ ...macroblockFields, snapshotHash: ['snapshot_hash', orNull(text)] }),
})

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

const statBlockHeader = record({
  keyBlockHash: ['kblocks_hash', hash],
  publisher: hash,
  hash: ['sblocks_hash', hash],
  reward: orNull(amount),
})

export const statBlock = record({ header: optional(statBlockHeader) })

/** `GET /sblock`: an empty object when it is unknown. */
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

/** `GET /lasttxs`: up to ten transactions of the newest calculated macroblock, in no order. */
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

/** A key block as the API shows it: with its reward, null until the macroblock is calculated. */
export type KeyBlockAnswer = Value<typeof keyBlock>
export type MacroblockAnswer = Value<typeof macroblockByHeightEndpoint.answer>
export type MicroblockAnswer = Value<typeof microblockEndpoint.answer>
export type MicroblockHeader = Value<typeof microblockHeader>
export type StatBlockHeader = Value<typeof statBlockHeader>
export type MicroblockPlace = Value<typeof microblockPlace>

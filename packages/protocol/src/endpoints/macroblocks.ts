import { address, amount, count, hash, list, only, optional, orNull, text } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, required } from './define-endpoint.ts'

const leaderSignature = record({ type: only('Buffer'), bytes: ['data', list(count)] })

/** Members of a key block, shared by every endpoint that answers with one. */
export const keyBlockFields = {
  hash,
  height: ['n', count],
  time: count,
  publisher: address,
  nonce: count,
  link: hash,
  sprout: hash,
  merkleRoot: ['m_root', text],
  /** Of newer nodes: the owner of the stake pool that signed. */
  leader: optional(orNull(text)),
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

/** `GET /macroblock_by_height`: the public network never answers for an unknown height. */
export const macroblockByHeightEndpoint = defineEndpoint({
  path: '/macroblock_by_height',
  parameters: { height: required('height', 'height') },
  answer: record(macroblockFields),
})

/** `GET /macroblock`: without key block if the hash is unknown. */
export const macroblockEndpoint = defineEndpoint({
  path: '/macroblock',
  parameters: { hash: required('hash', 'hash') },
  answer: record({ ...macroblockFields, snapshotHash: ['snapshot_hash', orNull(text)] }),
})

/** A key block in answers of the API: its reward is null until the macroblock is calculated. */
export type KeyBlockAnswer = Value<typeof keyBlock>
/** Answer of `GET /macroblock_by_height` and `GET /macroblock_by_hash`. */
export type MacroblockAnswer = Value<typeof macroblockByHeightEndpoint.answer>

import { chainTime } from '../calendar.ts'
import { applyChange } from './apply-change.ts'
import type { BlockRows } from './block-rows.ts'
import type { BlockContext, BlockState } from './block-state.ts'
import { countMicroblock } from './count-microblock.ts'
import { payMicroblocks } from './pay-microblocks.ts'

/**
 * Applies one macroblock to the rows: first what its transactions moved, then rewards in the order of the hashes, then
 * the figures. Pure but for the rows that it is given.
 */
export function applyBlock(context: BlockContext): BlockRows {
  const { facts } = context
  const { height, hash, nextHash, time, isProven } = facts
  const { hour, day } = chainTime(time, context.hourBefore)
  const added: BlockRows = {
    block: {
      ...{ height, hash, next_hash: nextHash, day, hour, time: BigInt(time), is_proven: isProven },
      ...{ microblocks: facts.microblockCount, own_microblocks: facts.microblocks.length },
    },
    ...{ microblock: [], reward: [], transfer: [], unexplained: [], agent_change: [] },
  }
  const state: BlockState = { ...context, hour, day, added }
  for (const change of facts.changes) applyChange(state, change)
  for (const paid of payMicroblocks(state)) countMicroblock(state, paid)
  return added
}

import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import { isNodeError } from '@hailstone/protocol'
import type { BlockProducer, ChainTip } from '../chain/block-producer.ts'
import { calculateMacroblock } from '../chain/calculate-macroblock.ts'
import type { ChainStore, SharedStore } from '../store/index.ts'

export type FollowParts = {
  readonly store: Pick<ChainStore, 'macroblocks' | 'keyBlockAt' | 'tail' | 'calculatedBelow' | 'balancesAt'>
  readonly shared: Pick<SharedStore, 'loadChain' | 'confirm'>
  readonly ledger: LedgerState
  readonly producer: BlockProducer
  readonly parameters: NetworkParameters
}

/** Heights that are in memory at once. */
const HEIGHTS_PER_READ = 100

/** Puts the stored chain in place of what this process holds, in a turn of the producer. */
async function replaceWithStored({ shared, ledger }: FollowParts): Promise<ChainTip> {
  const { ledger: stored, tail, branch } = await shared.loadChain()
  await shared.confirm()
  ledger.replaceWith(stored)
  return { keyBlock: tail, branch }
}

/** Ledger and tip of the store as they are now, whatever this process thought before. */
const reload = (parts: FollowParts): Promise<void> =>
  parts.producer.replaceTip(() => replaceWithStored(parts))

/**
 * Brings a leader back to the stored chain, where that ends with another key block than its own. Macroblocks that
 * the store has lost are gone; listeners get a reorganisation.
 *
 * @param isForced reloads as well where the key blocks agree, for a macroblock that cannot be stored
 */
export function recoverChain(parts: FollowParts, isForced: boolean): Promise<void> {
  const { store, producer } = parts
  return producer.replaceTip(async () => {
    const { hash } = await store.tail()
    // What was stored while only the answer got lost is found out when it is stored again.
    if (hash === producer.storingHash()) return null
    return hash === producer.openKeyBlock().hash && !isForced ? null : replaceWithStored(parts)
  })
}

/**
 * Brings ledger and open key block of this process to the end of the stored chain, where a standby is required not before
 * one has it. Macroblocks of another process
 * are calculated here as they were there, so whoever listens hears of them too, and a process that follows can
 * lead at once.
 *
 * @param to what the store has: height and hash of the open key block, and how often the chain went back
 */
export async function followChain(
  parts: FollowParts,
  to: { readonly height: number; readonly branch: number; readonly tailHash: string },
): Promise<void> {
  const { store, shared, ledger, producer, parameters } = parts
  const { height, hash } = producer.openKeyBlock()
  // A server that took over may lack the newest macroblocks, and have got others at the same heights since.
  const isElsewhere = to.height < height || (to.height === height && to.tailHash !== hash)
  if (to.branch !== producer.branch() || isElsewhere) return reload(parts)
  // The process that stored them may be holding them back.
  if (height < to.height) await shared.confirm()
  while (producer.openKeyBlock().height < to.height) {
    const { height: from } = producer.openKeyBlock()
    const last = Math.min(to.height, from + HEIGHTS_PER_READ) - 1
    for (const macroblock of await store.macroblocks({ from, to: last })) {
      const next = await store.keyBlockAt(macroblock.keyBlock.height + 1)
      const isNext = macroblock.keyBlock.hash === producer.openKeyBlock().hash
      // The chain went back while we read it.
      if (next === undefined || !isNext || next.link !== macroblock.keyBlock.hash) return reload(parts)
      const closed = await calculateMacroblock(ledger, { store, macroblock, rules: parameters.ledger }).catch(
        (error: unknown) => {
          // The store has forgotten the balances of that time.
          if (isNodeError(error, 'CHAIN_INCONSISTENT')) return null
          throw error
        },
      )
      if (closed === null) return reload(parts)
      const { leaderSignature: _, reward: __, ...nextKeyBlock } = next
      await producer.adopt({ macroblock, closed, nextKeyBlock })
    }
    if (producer.openKeyBlock().height === from) return reload(parts)
  }
}

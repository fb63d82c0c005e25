import type { BlockProducer } from '../chain/block-producer.ts'
import { learnCalculated, transactionHashesOf } from '../chain/learn-calculated.ts'
import type { NetworkParameters } from '../genesis.ts'
import { closeMacroblock } from '../ledger/close-macroblock.ts'
import { toLedgerMacroblock } from '../ledger/ledger-macroblock.ts'
import type { LedgerState } from '../ledger/ledger-state.ts'
import type { ChainStore, SharedStore } from '../store/index.ts'

export type FollowParts = {
  readonly store: Pick<ChainStore, 'macroblocks' | 'keyBlockAt' | 'tail' | 'calculatedBelow'>
  readonly shared: Pick<SharedStore, 'loadChain'>
  readonly ledger: LedgerState
  readonly producer: BlockProducer
  readonly parameters: NetworkParameters
}

/** Heights that are in memory at once. */
const HEIGHTS_PER_READ = 100

/** Ledger and tip of the store as they are now, whatever this process thought before. */
async function reload({ shared, ledger, producer }: FollowParts): Promise<void> {
  await producer.replaceTip(async () => {
    const { ledger: stored, tail, branch } = await shared.loadChain()
    ledger.replaceWith(stored)
    return { keyBlock: tail, branch }
  })
}

/**
 * Brings ledger and open key block of this process to the end of the stored chain. Macroblocks of another process
 * are calculated here as they were there, so whoever listens hears of them too, and a process that follows can
 * lead at once.
 *
 * @param to what the store has: height of the open key block, and how often the chain went back
 */
export async function followChain(
  parts: FollowParts,
  to: { readonly height: number; readonly branch: number },
): Promise<void> {
  const { store, ledger, producer, parameters } = parts
  if (to.branch !== producer.branch() || to.height < producer.openKeyBlock().height) return reload(parts)
  while (producer.openKeyBlock().height < to.height) {
    const { height: from } = producer.openKeyBlock()
    const last = Math.min(to.height, from + HEIGHTS_PER_READ) - 1
    for (const macroblock of await store.macroblocks({ from, to: last })) {
      const next = await store.keyBlockAt(macroblock.keyBlock.height + 1)
      const isNext = macroblock.keyBlock.hash === producer.openKeyBlock().hash
      // The chain went back while we read it.
      if (next === undefined || !isNext || next.link !== macroblock.keyBlock.hash) return reload(parts)
      const { height } = macroblock.keyBlock
      await learnCalculated(ledger, { store, height, hashes: transactionHashesOf(macroblock) })
      const closed = closeMacroblock(ledger, toLedgerMacroblock(macroblock), parameters.ledger)
      const { leaderSignature: _, reward: __, ...nextKeyBlock } = next
      await producer.adopt({ macroblock, closed, nextKeyBlock })
    }
    if (producer.openKeyBlock().height === from) return reload(parts)
  }
}

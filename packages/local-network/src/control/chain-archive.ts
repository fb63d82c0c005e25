import type { Hash, KeyBlock, Macroblock } from '@hailstone/protocol'
import type { SealedMacroblock } from '../chain/seal-macroblock.ts'

/** Macroblocks that were taken off the chain, for as long as the process lives. */
export type ChainArchive = {
  /** @param macroblocks ascending. @param tip the key block that was open after the last of them */
  readonly keep: (macroblocks: readonly Macroblock[], tip: KeyBlock) => void
  /** The macroblock that the key block closed. */
  readonly closedBy: (keyBlockHash: Hash) => SealedMacroblock | undefined
}

/** @param isNeeded whether there is a snapshot that may ask for them */
export function createChainArchive(isNeeded: () => boolean): ChainArchive {
  const sealed = new Map<Hash, SealedMacroblock>()
  return {
    keep(macroblocks, tip) {
      if (!isNeeded()) return
      macroblocks.forEach((macroblock, at) => {
        const nextKeyBlock = macroblocks[at + 1]?.keyBlock ?? tip
        sealed.set(nextKeyBlock.hash, { macroblock, nextKeyBlock })
      })
    },
    closedBy: (keyBlockHash) => sealed.get(keyBlockHash),
  }
}

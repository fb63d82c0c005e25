import { type Hash, type KeyBlock, type Microblock, type TokenId, transactionHash } from '@hailstone/protocol'

/** The macroblock that still takes microblocks: the tail key block and what extends it so far. */
export type OpenMacroblock = {
  readonly keyBlock: KeyBlock
  /** Unix milliseconds. */
  readonly openedAtMs: number
  readonly microblocks: readonly Microblock[]
  /** Each once, however many microblocks hold it. */
  readonly transactionHashes: readonly Hash[]
  readonly transactionCount: number
  readonly has: (microblockHash: string) => boolean
  /** Returns true if one of its microblocks holds the transaction. */
  readonly holds: (transactionHash: string) => boolean
  readonly isMinedIn: (tokenId: TokenId) => boolean
  readonly add: (microblock: Microblock) => void
}

export function openMacroblock(parameters: {
  readonly keyBlock: KeyBlock
  readonly openedAtMs: number
}): OpenMacroblock {
  const microblocks = new Map<string, Microblock>()
  const transactions = new Set<Hash>()
  return {
    ...parameters,
    get microblocks() {
      return [...microblocks.values()]
    },
    get transactionHashes() {
      return [...transactions]
    },
    get transactionCount() {
      return transactions.size
    },
    has: (hash) => microblocks.has(hash),
    holds: (hash) => transactions.has(hash as Hash),
    isMinedIn: (tokenId) => [...microblocks.values()].some((microblock) => microblock.tokenId === tokenId),
    add(microblock) {
      microblocks.set(microblock.hash, microblock)
      for (const transaction of microblock.transactions) transactions.add(transactionHash(transaction))
    },
  }
}

import { type Hash, type KeyBlock, type Microblock, type TokenId, transactionHash } from '@hailstone/protocol'

/** The macroblock that still takes microblocks: the tail key block and what extends it so far. */
export type OpenMacroblock = {
  readonly keyBlock: KeyBlock
  /** Unix milliseconds. */
  readonly openedAtMs: number
  readonly microblocks: readonly Microblock[]
  readonly microblockCount: number
  /** Each once, however many microblocks hold it. */
  readonly transactionHashes: readonly Hash[]
  readonly transactionCount: number
  readonly has: (microblockHash: string) => boolean
  /** Returns true if one of its microblocks holds the transaction. */
  readonly holds: (transactionHash: string) => boolean
  readonly isMinedIn: (tokenId: TokenId) => boolean
  /** @param hashes of its transactions, if they are known; each costs as much as nine hashes of short texts */
  readonly add: (microblock: Microblock, hashes?: readonly Hash[]) => void
}

export function openMacroblock(parameters: {
  readonly keyBlock: KeyBlock
  readonly openedAtMs: number
}): OpenMacroblock {
  const microblocks = new Map<string, Microblock>()
  const transactions = new Set<Hash>()
  const tokens = new Set<TokenId>()
  return {
    ...parameters,
    get microblocks() {
      return [...microblocks.values()]
    },
    get microblockCount() {
      return microblocks.size
    },
    get transactionHashes() {
      return [...transactions]
    },
    get transactionCount() {
      return transactions.size
    },
    has: (hash) => microblocks.has(hash),
    holds: (hash) => transactions.has(hash as Hash),
    isMinedIn: (tokenId) => tokens.has(tokenId),
    add(microblock, hashes = microblock.transactions.map(transactionHash)) {
      microblocks.set(microblock.hash, microblock)
      tokens.add(microblock.tokenId)
      for (const hash of hashes) transactions.add(hash)
    },
  }
}

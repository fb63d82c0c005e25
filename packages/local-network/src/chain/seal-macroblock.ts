import {
  type Address,
  ascending,
  type Hash,
  type KeyBlock,
  localKeyBlockHash,
  type Macroblock,
  type Microblock,
  merkleRoot,
  type StatBlock,
  sha256Hex,
  statBlockHash,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'

export type SealParameters = {
  readonly keyBlock: KeyBlock
  /** In any order. */
  readonly microblocks: readonly Microblock[]
  /** The stake pool that votes. */
  readonly votingPoolId: Hash
  /** Of the next key block. */
  readonly publisher: Address
  /** Unix seconds. */
  readonly time: number
  readonly seed: string
}

/** A macroblock with everything it will ever hold, and the key block that commits to it. */
export type SealedMacroblock = { readonly macroblock: Macroblock; readonly nextKeyBlock: KeyBlock }

/** Microblocks, and the transactions of each, come in the order of their hashes (PROTOCOL 2.9). */
function inOrder(microblocks: readonly Microblock[]): readonly Microblock[] {
  return [...microblocks]
    .sort((a, b) => ascending(a.hash, b.hash))
    .map((microblock) => ({ ...microblock, transactions: byHash(microblock.transactions) }))
}

const byHash = (transactions: readonly Transaction[]): readonly Transaction[] =>
  transactions
    .map((transaction) => ({ transaction, hash: transactionHash(transaction) }))
    .sort((a, b) => ascending(a.hash, b.hash))
    .map(({ transaction }) => transaction)

/** The vote a macroblock needs. The public network's pools sign nothing either (PROTOCOL 4.3). */
function vote(keyBlock: KeyBlock, publisher: Hash): StatBlock {
  const content = { keyBlockHash: keyBlock.hash, publisher, bulletin: 'not_implemented_yet', signature: '' }
  return { ...content, hash: statBlockHash(content) }
}

/** Stands for the result of a search; 31 bits, as the column of the public network holds them. */
const nonceOf = (seed: string, height: number): number =>
  Number.parseInt(sha256Hex(`hailstone nonce ${height} of ${seed}`).slice(0, 8), 16) & 0x7fff_ffff

/** Closes a macroblock: orders it, adds the vote, and makes the key block that commits to it (PROTOCOL 4). */
export function sealMacroblock(parameters: SealParameters): SealedMacroblock {
  const { keyBlock, publisher, time, seed } = parameters
  const microblocks = inOrder(parameters.microblocks)
  const statBlocks = [vote(keyBlock, parameters.votingPoolId)]
  const height = keyBlock.height + 1
  const content = {
    height,
    // A clock that was put back must not put the chain back.
    time: Math.max(time, keyBlock.time),
    publisher,
    nonce: nonceOf(seed, height),
    link: keyBlock.hash,
    sprout: keyBlock.sprout,
    merkleRoot: merkleRoot({
      microblockHashes: microblocks.map(({ hash }) => hash),
      statBlockHashes: statBlocks.map(({ hash }) => hash),
    }),
    targetDifficulty: keyBlock.targetDifficulty,
  }
  return {
    macroblock: { keyBlock, microblocks, statBlocks },
    nextKeyBlock: { ...content, hash: localKeyBlockHash(content) },
  }
}

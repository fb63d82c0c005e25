import { ascending, fieldHash, sha256Hex } from './hashing.ts'
import { hmacHex } from './hmac.ts'
import type { Microblock, StatBlock } from './microblock.ts'
import type { Address } from './values/address.ts'
import type { Hash } from './values/hash.ts'

/** A key block: proof of work on the public network, a clock tick on a local one. */
export type KeyBlock = {
  readonly hash: Hash
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  readonly publisher: Address
  readonly nonce: number
  /** Hash of the previous key block. */
  readonly link: Hash
  /** Name of the branch: the name of the origin block. */
  readonly sprout: Hash
  /** Commits to the microblocks and statblocks of the previous macroblock. */
  readonly merkleRoot: string
  readonly targetDifficulty: number
}

/** A key block with the blocks that extend it. */
export type Macroblock = {
  readonly keyBlock: KeyBlock
  readonly microblocks: readonly Microblock[]
  readonly statBlocks: readonly StatBlock[]
}

/**
 * Returns a Merkle root of sorted hashes: neighbours are paired, an odd last one with itself. One leaf is its own
 * root; without leaves it is the empty text (PROTOCOL 4.4).
 */
export function merkleTree(hashes: readonly string[]): string {
  let level = [...hashes].sort(ascending)
  while (level.length > 1) {
    const parents: string[] = []
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] ?? ''
      parents.push(sha256Hex(left + (level[at + 1] ?? left)))
    }
    level = parents
  }
  return level[0] ?? ''
}

/** Hashes of the blocks and the snapshot to which the Merkle root of a macroblock commits. */
export type MerkleLeaves = {
  readonly microblockHashes: readonly string[]
  readonly statBlockHashes: readonly string[]
  readonly snapshotHash?: string | null | undefined
}

/** Returns the root to which the next key block commits (PROTOCOL 4.4). */
export const merkleRoot = ({ microblockHashes, statBlockHashes, snapshotHash }: MerkleLeaves): Hash =>
  hmacHex(merkleTree(microblockHashes) + merkleTree(statBlockHashes) + (snapshotHash ?? ''))

/** Returns the root in use before the second fork: a chain instead of a tree (PROTOCOL 4.4). */
export const legacyMerkleRoot = ({ microblockHashes, statBlockHashes, snapshotHash }: MerkleLeaves): string =>
  [
    ...[...microblockHashes].sort(ascending),
    ...[...statBlockHashes].sort(ascending),
    ...(typeof snapshotHash === 'string' ? [snapshotHash] : []),
  ].reduce((chain, hash) => hmacHex(chain + hash), '')

/** True if 64 hex digits are the root of these leaves by either rule (PROTOCOL 4.4). */
export const isMerkleRoot = (root: string, leaves: MerkleLeaves): boolean =>
  merkleRoot(leaves) === root || legacyMerkleRoot(leaves) === root

/** Hash of a local network's key block: SHA-256 of the blob in place of proof of work (PROTOCOL 4.5). */
export const localKeyBlockHash = (
  block: Pick<KeyBlock, 'time' | 'link' | 'publisher' | 'nonce' | 'merkleRoot'>,
): Hash =>
  sha256Hex(
    hmacHex(
      [String(block.time), block.link, block.publisher, String(block.nonce), block.merkleRoot]
        .map(fieldHash)
        .join(''),
    ),
  )

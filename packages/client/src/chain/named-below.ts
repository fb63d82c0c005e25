import { type Hash, isMerkleRoot, type MerkleLeaves } from '@hailstone/protocol'
import type { MacroblockInfo } from '../actions/get-macroblock.ts'
import { getMacroblockByHash } from '../actions/get-macroblock-by-hash.ts'
import type { ClientCore } from '../client-core.ts'

/** Hash and Merkle root in a key block, by which it names the macroblock before it. */
export type Naming = {
  /** Hash of the key block of that macroblock. */
  readonly link: string
  /** Merkle root of its blocks; empty in a key block without one. */
  readonly merkleRoot: string
}

type Named = {
  readonly keyBlock: { readonly hash: Hash }
  readonly microblocks: readonly Pick<MacroblockInfo['microblocks'][number], 'hash'>[]
  readonly statBlocks: readonly Pick<MacroblockInfo['statBlocks'][number], 'hash'>[]
}

const lower = ({ hash }: { readonly hash: string }): string => hash.toLowerCase()

/**
 * Returns a function that resolves to true if a key block names a macroblock as the one below it: by its hash, and by its
 * Merkle root of either rule (PROTOCOL 4.4). After a fork the same key block can hold other blocks, which only the next key
 * block commits to. Where the root needs the hash of a snapshot, `/macroblock` is asked once.
 */
export function namedBelow({ link, merkleRoot: named }: Naming, core: ClientCore, signal: AbortSignal) {
  const merkleRoot = named.toLowerCase()
  let snapshotHash: string | null | undefined
  return async ({ keyBlock: { hash }, microblocks, statBlocks }: Named): Promise<boolean> => {
    if (link !== hash) return false
    const leaves: MerkleLeaves = {
      microblockHashes: microblocks.map(lower),
      statBlockHashes: statBlocks.map(lower),
    }
    if (merkleRoot === '' || isMerkleRoot(merkleRoot, leaves)) return true
    // An old server does not have the route.
    const asked = () => getMacroblockByHash(core, { hash, signal }).catch(() => undefined)
    if (snapshotHash === undefined) snapshotHash = (await asked())?.snapshotHash ?? null
    return snapshotHash !== null && isMerkleRoot(merkleRoot, { ...leaves, snapshotHash })
  }
}

import { apiError, isMerkleRoot, type KeyBlockAnswer } from '@hailstone/protocol'
import { getMacroblockByHash } from '../actions/get-macroblock-by-hash.ts'
import type { ClientCore } from '../client-core.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { ReadMacroblock } from './read-macroblock.ts'

export type ProveParameters = {
  readonly macroblock: ReadMacroblock
  /** The key block on top of it, which commits to what it holds. */
  readonly next: Pick<KeyBlockAnswer, 'merkleRoot'> | undefined
  readonly limit: ConcurrencyLimit
  readonly signal: AbortSignal
}

/**
 * Checks that the next key block commits to exactly these microblocks and statblocks, so that none was left out or
 * added (PROTOCOL 4.4, both rules). Returns false if there is no proof: the next key block does not exist yet, or one
 * of the lists is empty, for which the public network has no rule. The ledger's snapshot is part of the root at some
 * heights; it is requested if the root does not match without it.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, and what the look-up throws
 */
export async function proveComplete(client: ClientCore, parameters: ProveParameters): Promise<boolean> {
  const { macroblock, next, limit, signal } = parameters
  if (next === undefined) return false
  const { keyBlock, microblocks, statBlocks } = macroblock
  const leaves = {
    microblockHashes: microblocks.map(({ header }) => header.hash),
    statBlockHashes: statBlocks.map(({ hash }) => hash),
  }
  if (isMerkleRoot(next.merkleRoot, leaves)) return true
  const named = await limit(() => getMacroblockByHash(client, { hash: keyBlock.hash, signal }))
  const snapshotHash = named?.snapshotHash ?? null
  if (snapshotHash !== null && isMerkleRoot(next.merkleRoot, { ...leaves, snapshotHash })) return true
  if (microblocks.length === 0 || statBlocks.length === 0) return false
  const reason = 'the next key block commits to other micro- or statblocks'
  throw apiError('CHAIN_INCONSISTENT', { height: keyBlock.height, reason })
}

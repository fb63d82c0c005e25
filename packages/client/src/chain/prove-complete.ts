import { apiError, type Hash, type KeyBlockAnswer, legacyMerkleRoot, merkleRoot } from '@hailstone/protocol'
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
 * Whether the next key block commits to exactly these microblocks and statblocks, so that none was left out and
 * none was slipped in (PROTOCOL 4.4, both rules). False when that cannot be told: there is no next key block yet,
 * or one of the lists is empty, for which the public network has no rule. The ledger's snapshot takes part at some
 * heights; it is asked for when the root does not fit without.
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
  if (fits(leaves, null, next.merkleRoot)) return true
  const named = await limit(() => getMacroblockByHash(client, { hash: keyBlock.hash, signal }))
  const snapshotHash = named?.snapshotHash ?? null
  if (snapshotHash !== null && fits(leaves, snapshotHash, next.merkleRoot)) return true
  if (microblocks.length === 0 || statBlocks.length === 0) return false
  const reason = 'the next key block commits to other micro- or statblocks'
  throw apiError('CHAIN_INCONSISTENT', { height: keyBlock.height, reason })
}

type Leaves = { readonly microblockHashes: readonly Hash[]; readonly statBlockHashes: readonly Hash[] }

const fits = (leaves: Leaves, snapshotHash: string | null, root: string): boolean =>
  merkleRoot({ ...leaves, snapshotHash }) === root || legacyMerkleRoot({ ...leaves, snapshotHash }) === root

import { legacyMerkleRoot, merkleRoot, merkleTree } from '@hailstone/protocol'
import { asList, asText, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

/** Merkle roots of macroblocks, by the current and the previous rule (PROTOCOL 4.4). */
export const check: Check = {
  kind: 'merkle roots',
  recognises: (file) => everyCaseHas(file, 'mblock_hashes', 'sblock_hashes', 'm_root'),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => {
        const microblockHashes = asList(given.mblock_hashes).map(asText)
        const statBlockHashes = asList(given.sblock_hashes).map(asText)
        const snapshotHash = typeof given.snapshot_hash === 'string' ? given.snapshot_hash : null
        const leaves = { microblockHashes, statBlockHashes, snapshotHash }
        return [
          difference('mblock_tree_root', given.mblock_tree_root, merkleTree(microblockHashes)),
          difference('sblock_tree_root', given.sblock_tree_root, merkleTree(statBlockHashes)),
          difference('m_root', given.m_root, merkleRoot(leaves)),
          difference('m_root_legacy_chain', given.m_root_legacy_chain, legacyMerkleRoot(leaves)),
        ]
      }),
    ),
}

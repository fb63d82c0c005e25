import { getMacroblockByHash, getMacroblockOutline, type MacroblockOutline } from '@hailstone/client'
import { apiError, isMerkleRoot } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { assertOrigin } from '../watchers/assert-origin.ts'
import type { ReadingPlace } from '../watchers/chain-tip.ts'
import { linkOf } from '../watchers/read-chain.ts'
import type { Passed } from './journey-store.ts'
import { askForPresent } from './rewards-of-macroblock.ts'

type KeyBlock = MacroblockOutline['keyBlock']

/** Answers about a macroblock that have to agree: one address may lead to a node that is behind. */
const AGREEING = 6
/** Answers of which one has to show the macroblock above again: more would find a node that was left behind again, too. */
const ASKED_AGAIN = 2
/** What it takes to believe that a key block commits to a macroblock by no rule that is known. */
const UNRULED = { answers: 3, overMs: 30_000 }

/** @throws {NodeError} `HEIGHT_UNAVAILABLE` while the node that answers does not have it, or has that of a fork that was left */
export const calculatedAt = (
  { core, stands }: ReadingPlace,
  height: number,
  signal: AbortSignal,
): Promise<MacroblockOutline> =>
  askForPresent(height, async () => {
    const macroblock = await getMacroblockOutline(core, { height, signal })
    return macroblock?.isCalculated === true && stands(linkOf(macroblock)) !== false ? macroblock : undefined
  })

/** Returns whether a key block commits to what is in a macroblock below it; the snapshot is asked for once, where it is needed. */
function commitmentOf(above: KeyBlock | undefined, { core }: ReadingPlace, signal: AbortSignal) {
  let snapshotHash: string | null | undefined
  return async ({ keyBlock: { hash }, microblocks, statBlocks }: MacroblockOutline): Promise<boolean> => {
    if (above?.link !== hash) return false
    const leaves = {
      microblockHashes: microblocks.map(({ hash }) => hash),
      statBlockHashes: statBlocks.map(({ hash }) => hash),
    }
    if (above.merkleRoot === '' || isMerkleRoot(above.merkleRoot, leaves)) return true
    // An old server does not have the route.
    const named = () => getMacroblockByHash(core, { hash, signal }).catch(() => undefined)
    if (snapshotHash === undefined) snapshotHash = (await named())?.snapshotHash ?? null
    return snapshotHash !== null && isMerkleRoot(above.merkleRoot, { ...leaves, snapshotHash })
  }
}

/**
 * Asks whether a macroblock stands as it was passed. One answer to which the key block above commits decides; without one
 * all have to agree.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT` while they do not
 */
export async function askForStanding(
  passed: Passed,
  place: ReadingPlace,
  signal: AbortSignal,
  above?: KeyBlock,
): Promise<'proved' | 'said' | 'gone'> {
  const { height } = passed
  const isNamed = commitmentOf(above, place, signal)
  let same = 0
  for (let answers = 0; answers < AGREEING; answers++) {
    const macroblock = await calculatedAt(place, height, signal)
    const { hash, root } = linkOf(macroblock)
    const isSame = hash === passed.hash && root === passed.root
    if (await isNamed(macroblock)) return isSame ? 'proved' : 'gone'
    if (isSame) same++
  }
  if (same > 0 && same < AGREEING)
    throw apiError('CHAIN_INCONSISTENT', { height, reason: 'the answers about it do not agree' })
  return same > 0 ? 'said' : 'gone'
}

async function isShownAgain(
  { height, hash }: KeyBlock,
  place: ReadingPlace,
  signal: AbortSignal,
): Promise<boolean> {
  for (let asked = 0; asked < ASKED_AGAIN; asked++) {
    if ((await calculatedAt(place, height, signal)).keyBlock.hash === hash) return true
  }
  return false
}

/** Returns whether a macroblock is built on the one below as that was passed; false if the chain parted below, also while no process looked. */
export type IsBuiltOn = (
  below: Passed | null,
  above: MacroblockOutline,
  place: ReadingPlace,
  signal: AbortSignal,
) => Promise<boolean>

export function createIsBuiltOn(): IsBuiltOn {
  let unruled: Claim | null = null
  return async (below, { keyBlock: above }, place, signal) => {
    if (below === null) return true
    const { height, hash, root } = below
    const isLinked = hash === above.link
    if (isLinked && (above.merkleRoot === '' || root === above.merkleRoot)) {
      unruled = null
      return true
    }
    const seen = place.stands(below)
    // The poll has compared no root where it skipped the macroblock above, and that root may be of a snapshot.
    const known = seen && isLinked ? null : seen
    const standing =
      known === null ? await askForStanding(below, place, signal, above) : known ? 'known' : 'gone'
    if (standing === 'proved') return true
    // The macroblock above may be that of a node that was left behind, too.
    if (standing === 'gone' && (known === false || (await isShownAgain(above, place, signal)))) {
      await assertOrigin(place.core, signal)
      return false
    }
    // A node that was left behind may have answered each time: another one has the macroblock that is named.
    if (standing === 'said' && isLinked && seen === null) {
      const { source, clock } = place.core
      unruled = repeated(unruled, { source, atMs: clock.monotonicMs() })
      if (isProved(unruled, UNRULED)) return true
    }
    throw apiError('CHAIN_INCONSISTENT', { height, reason: 'the macroblock that is built on it is not' })
  }
}

import { getMacroblockOutline, type MacroblockOutline, namedBelow } from '@hailstone/client'
import { apiError } from '@hailstone/protocol'
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
/**
 * Readings, and the time between the first and the last, after which a key block counts as built on a macroblock although
 * neither rule for Merkle roots gives its root.
 */
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

/**
 * Returns whether a macroblock that was passed is still on the chain, by up to six answers for its height. An answer that
 * the key block `above` names by its Merkle root decides alone: `proved` if it is `passed`, `gone` if it is another
 * macroblock. Without such an answer the result is `said` if all six are `passed`, and `gone` if none is.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT` if some of the six were equal
 */
export async function askForStanding(
  passed: Passed,
  place: ReadingPlace,
  signal: AbortSignal,
  above?: KeyBlock,
): Promise<'proved' | 'said' | 'gone'> {
  const { height } = passed
  const isNamed = above && namedBelow(above, place.core, signal)
  let same = 0
  for (let answers = 0; answers < AGREEING; answers++) {
    const macroblock = await calculatedAt(place, height, signal)
    const { hash, root } = linkOf(macroblock)
    const isSame = hash === passed.hash && root === passed.root
    if (await isNamed?.(macroblock)) return isSame ? 'proved' : 'gone'
    if (isSame) same++
  }
  if (same > 0 && same < AGREEING)
    throw apiError('CHAIN_INCONSISTENT', { height, reason: 'the answers about it do not agree' })
  return same > 0 ? 'said' : 'gone'
}

/** Resolves to true if one of two answers shows this key block at its height. */
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

/**
 * Resolves to true if a macroblock is built on `below`, the one before it as it was passed; to false if the chain has
 * another one in its place, such as after a fork while no process ran.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT` while the answers do not decide it
 */
export type IsBuiltOn = (
  below: Passed | null,
  above: MacroblockOutline,
  place: ReadingPlace,
  signal: AbortSignal,
) => Promise<boolean>

export function createIsBuiltOn(): IsBuiltOn {
  /** The claim that key blocks have roots of another rule; ended by one that has a known root. */
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
    if (standing === 'proved') {
      unruled = null
      return true
    }
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

import { type ClientCore, getMacroblockOutline } from '@hailstone/client'
import type { Hash } from '@hailstone/protocol'
import type { ReadingPlace } from '../watchers/chain-tip.ts'
import { type Began, firstOpenBlock } from '../watchers/first-open-block.ts'
import type { ChainLink } from '../watchers/read-chain.ts'
import type { Begun } from './journey-store.ts'
import { askForPresent } from './rewards-of-macroblock.ts'

export type BeginningParameters = Began & {
  readonly client: ClientCore
  /** The key block of the first publication, which was open soon after the beginning. */
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
}

/** Macroblocks that the poll has reported since the journey began. */
export type BeginningSeen = {
  /** The newest that was calculated when the journey began; null before one was seen. */
  readonly begunAbove: number | null
  /** The lowest that the chain took back since the journey was last below it. */
  readonly partedAt: number
}

/** Macroblocks that may have followed the first one of a journey when it began: its place was a moment old. */
const LATENESS_BLOCKS = 4

/**
 * Answers without the open key block, of nodes that are behind, before its time is unknown: the first five at once. A failure
 * is none of them; so many end the question.
 */
const ASKED_OPEN = 10
const ASKED_AT_ONCE = 5
const FAILURES_LIMIT = 5
const PAUSE_MS = 1_000

/** No key block is later: the journey does not go below its beginning. */
export const UNKNOWN_MS = Number.MAX_SAFE_INTEGER

/**
 * Returns where a journey begins: at the macroblock of the key block which was open then, or at a lower one that was
 * calculated since and may have been open. Null while the place on the chain is not known.
 */
export function createBeginning({
  client,
  openKeyBlock,
  beganAtMs = client.clock.monotonicMs(),
}: BeginningParameters): (
  place: ReadingPlace,
  seen: BeginningSeen,
  signal: AbortSignal,
) => Promise<Begun | null> {
  const { monotonicMs } = client.clock
  const firstOpen = firstOpenBlock({ client, openKeyBlock, beganAtMs })
  return async (place, seen, signal) => {
    const { core, at } = place
    const open = await firstOpen(place, signal)
    if (open === undefined || at === null) return null
    const found = open?.height ?? at.height + 1
    const seenOpen = (seen.begunAbove ?? at.height) + 1
    // What was seen then may be old: a macroblock was closed where the key block above it is dated before the beginning.
    const began = at.timeMs - (monotonicMs() - beganAtMs)
    for (let height = seenOpen; height < found && height < seenOpen + LATENESS_BLOCKS; height++) {
      const ask = () => getMacroblockOutline(core, { height: height + 1, signal })
      // A node that is behind does not have what another one has shown.
      const next = height < at.height ? await askForPresent(height + 1, ask) : await ask()
      // What was mined since its key block belongs to it, or to what a fork puts in its place.
      if (next === undefined) {
        const openMs = height === at.height ? at.timeMs : place.timeAt(height)
        return { height, openMs: openMs ?? UNKNOWN_MS }
      }
      const { timeMs } = next.keyBlock
      // Where the chain parted since, it is only known by the time that has passed.
      if (timeMs > began) {
        const openMs = seen.partedAt > height ? Math.max(timeMs - 1, place.timeAt(height) ?? 0) : began
        return { height, openMs }
      }
    }
    const openMs =
      found <= at.height
        ? (place.timeAt(found) ?? open?.timeMs ?? UNKNOWN_MS)
        : await openTimeAbove(place, at, signal)
    return openMs === null ? null : { height: found, openMs }
  }
}

/**
 * Returns the time of the open key block; null if it is built on another macroblock: the chain is parting, or has parted.
 *
 * @throws {NodeError} the last of several failures; nothing is known then
 */
async function openTimeAbove(
  { core, heightOf }: ReadingPlace,
  at: ChainLink,
  signal: AbortSignal,
): Promise<number | null> {
  let [isOther, answers, failures] = [false, 0, 0]
  while (answers < ASKED_OPEN) {
    if (answers + failures >= ASKED_AT_ONCE) await core.clock.sleep(PAUSE_MS, signal)
    try {
      const shown = await getMacroblockOutline(core, { height: at.height + 1, signal })
      if (shown?.keyBlock.link === at.hash) return shown.keyBlock.timeMs
      if (shown !== undefined) isOther = true
      answers++
    } catch (error) {
      if (signal.aborted || ++failures === FAILURES_LIMIT) throw error
    }
  }
  return isOther || heightOf(at.hash) === undefined ? null : UNKNOWN_MS
}

import { type ClientCore, getMacroblockOutline } from '@hailstone/client'
import type { Hash } from '@hailstone/protocol'
import type { ReadingPlace } from './chain-tip.ts'
import { heightOf } from './explain-reward.ts'

/** A key block and its time in Unix milliseconds. */
export type OpenBlock = { readonly height: number; readonly timeMs: number }

/** A first reading within this time finds the history as it was at the beginning. */
const PROMPT_MS = 2_000
/**
 * A named key block is not believed if this many had followed it at the beginning, by the time since then: a gateway
 * whose leader is not checked may name any, and all rewards since would be new. A few, because key blocks are dated in
 * whole seconds and a gateway may be behind. It is not a distance from the one found by the clock: that may be days ahead.
 */
const LATENESS_BLOCKS = 4

/**
 * Finds the key block that was open when this function was called: what was booked since then belongs to it or to a
 * later one. A gateway names an open key block in each beacon, which is exact. Where none came, and for rewards from
 * before the first one, the key block is found by the time of this machine; what the machine and the chain both count,
 * the time since the beginning, bounds what a clock that is behind can do. Returns null when nothing can have been
 * booked since, undefined while the place on the chain is not known.
 */
export function firstOpenBlock({
  client,
  openKeyBlock,
}: {
  readonly client: ClientCore
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
}): (place: ReadingPlace, signal: AbortSignal) => Promise<OpenBlock | null | undefined> {
  const { now, monotonicMs } = client.clock
  const [beganAtMs, beganAt] = [now(), monotonicMs()]

  return async (place, signal) => {
    const { core, at } = place
    const elapsedMs = monotonicMs() - beganAt
    if (at === null) return elapsedMs > PROMPT_MS ? undefined : null
    const timeOf = async (height: number): Promise<number> =>
      (await getMacroblockOutline(core, { height, signal }))?.keyBlock.timeMs ??
      (height > at.height ? Number.POSITIVE_INFINITY : 0)
    let height = at.height + 1
    if (elapsedMs > PROMPT_MS) {
      const sinceMs = Math.max(beganAtMs, at.timeMs - elapsedMs)
      let [low, high] = [0, height + 1]
      // From the newest one down in growing steps, then by halves.
      for (let step = 1; high - low > 1; step *= 2) {
        const middle = Math.max((low + high) >> 1, high - step)
        if ((await timeOf(middle)) > sinceMs) high = middle
        else low = middle
      }
      height = low
    }
    const named = await openKeyBlock?.()
    if (elapsedMs <= PROMPT_MS && named === undefined) return null
    const namedHeight = (named && (await heightOf(place, named, signal))) ?? height
    const isLower = namedHeight < height
    if (isLower && (await timeOf(namedHeight + LATENESS_BLOCKS)) > at.timeMs - elapsedMs) height = namedHeight
    return { height, timeMs: await timeOf(height) }
  }
}

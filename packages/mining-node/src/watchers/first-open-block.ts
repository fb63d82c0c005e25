import { type ClientCore, getMacroblockOutline, type PinnedCore } from '@hailstone/client'
import { apiError, type Hash } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { anchorOf, beginningBy, beginningOf, isNear, type Sight } from './beginning.ts'
import type { ReadingPlace } from './chain-tip.ts'
import { heightOf } from './explain-reward.ts'
import { ABSENT } from './not-there.ts'
import type { ChainLink } from './read-chain.ts'

/** A key block and its time in Unix milliseconds. */
export type OpenBlock = { readonly height: number; readonly timeMs: number }

/** Beginning of a watch that waited for other answers, such as the native token, before it could read. */
export type Began = {
  /** Milliseconds of the client's monotonic clock. @default now */
  readonly beganAtMs?: number | undefined
}

/**
 * A first reading within this time finds the history as it was at the beginning, at a node that is current. No longer than
 * the second in which key blocks are dated: what was booked before a later one may be new.
 */
const PROMPT_MS = 1_000
/**
 * A named key block is not believed if this many had followed it at the beginning, by the time since then: a gateway
 * whose leader is not checked may name any, and all rewards since would be new. A few, because key blocks are dated in
 * whole seconds and a gateway may be behind. It is not a distance from the one found by the clock: that may be days ahead.
 */
const LATENESS_BLOCKS = 4
/** Answers without a key block before there counts as none: nodes that are behind have none, and others fail. */
const ASKED = 5
/** A node that shows a key block so far above the newest macroblock that was read has more of them; others are less far apart. */
const UNREAD_BLOCKS = 10
/** The same, or what is mined in this time, if that is more: while a slow node is asked, a fast chain goes on. */
const UNREAD_MS = 60_000
/** Key blocks are dated in whole seconds: the mean of four says nothing of shorter ones. */
const SHORTEST_MS = 250
/** Macroblocks whose mean time is the block time. */
const MEASURED = 4

/** Returns the key block of a height, from the first of several answers that shows it; undefined if the last one lacks it. */
async function keyBlockAt(
  core: PinnedCore,
  { height, asked }: { readonly height: number; readonly asked: number },
  signal: AbortSignal,
) {
  for (let left = asked; ; left--) {
    try {
      const shown = await getMacroblockOutline(core, { height, signal })
      if (shown !== undefined || left <= 1) return shown?.keyBlock
    } catch (error) {
      // A decision of many questions would not come to its end where one answer in ten fails.
      if (signal.aborted || left <= 1) throw error
    }
  }
}

/** Returns the time of the key block above a macroblock; what a fork put in its place may be much later. */
async function closedAt(
  core: PinnedCore,
  { height, hash, asked }: ChainLink & { readonly asked: number },
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let left = asked; left > 0; left--) {
    const above = await keyBlockAt(core, { height: height + 1, asked: 1 }, signal)
    if (above?.link === hash) return above.timeMs
  }
  return undefined
}

/**
 * False if a node has more macroblocks than were read, or fewer. A poll that is timed by the chain reads the next one when
 * it is due, and asks for the height now and then: what it reads goes on at the pace of the clock, also where all is there.
 */
async function isReadToItsEnd(
  core: PinnedCore,
  { height, blockMs }: { readonly height: number; readonly blockMs: number },
  signal: AbortSignal,
): Promise<boolean> {
  const unread = Math.max(UNREAD_BLOCKS, Math.ceil(UNREAD_MS / Math.max(SHORTEST_MS, blockMs)))
  const isShown = async (one: number): Promise<boolean> =>
    (await keyBlockAt(core, { height: one, asked: ASKED }, signal)) !== undefined
  return (await isShown(height)) && !(await isShown(height + unread))
}

/**
 * Finds the key block that was open when the watch was asked for: what was booked since then belongs to it or to a
 * later one. A gateway names an open key block in each beacon, which is exact. Where none came, and for rewards from
 * before the first one, the key block is found by the time of this machine, where chain and machine agree, and by the time
 * since the beginning, which both count, where they do not.
 *
 * Returns null when nothing can have been booked since, undefined while that cannot be known: the API shows no macroblock,
 * is behind, is being caught up with, or stands still. It is to be asked again then. An API that lags at an even pace looks like a machine whose clock
 * is ahead; that it does not know the key block which a gateway named tells them apart.
 */
export function firstOpenBlock({
  client,
  openKeyBlock,
  beganAtMs: beganAt = client.clock.monotonicMs(),
}: Began & {
  readonly client: ClientCore
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
}): (place: ReadingPlace, signal: AbortSignal) => Promise<OpenBlock | null | undefined> {
  const { now, monotonicMs } = client.clock
  let anchor: (Sight & ChainLink) | null = null
  let blockMs: number | undefined
  /** What was calculated at a prompt first reading is older than the watch, and that reading is of now or from long before. */
  let first: ChainLink | null = null
  let wasNear = false
  let unknown: Claim | null = null

  function isLongUnknown({ source, clock }: PinnedCore): boolean {
    unknown = repeated(unknown, { source, atMs: clock.monotonicMs() })
    return isProved(unknown, ABSENT)
  }

  return async (place, signal) => {
    const { core, at, isCatchingUp } = place
    if (at === null || isCatchingUp) return undefined
    // Both clocks before the first question, which may take seconds.
    const [sight, wallMs] = [{ ...at, elapsedMs: monotonicMs() - beganAt }, now()]
    const isPrompt = sight.elapsedMs <= PROMPT_MS
    const isFirst = anchor === null
    anchor = anchorOf(anchor, sight)
    // On a fork that was left, it says nothing of the macroblocks that took its place.
    const firstNew = (): number =>
      first && place.heightOf(first.hash) === first.height ? first.height + 1 : 0

    const keyBlock = (height: number, asked = ASKED) => keyBlockAt(core, { height, asked }, signal)
    async function timeOf(height: number): Promise<number> {
      if (height === sight.height) return sight.timeMs
      const timeMs = (await keyBlock(Math.max(0, height)))?.timeMs
      if (timeMs === undefined && height < sight.height) throw apiError('HEIGHT_UNAVAILABLE', { height })
      return timeMs ?? Number.POSITIVE_INFINITY
    }
    /** One that only another node has yet, or none on a chain that began anew, may be as old as a macroblock below it. */
    async function datedAt(height: number, below: Pick<Sight, 'timeMs'>): Promise<number> {
      const timeMs = await timeOf(height)
      return Number.isFinite(timeMs) ? timeMs : below.timeMs
    }
    /** The last key block that is not younger. */
    async function openAt(sinceMs: number): Promise<number> {
      let [low, high] = [0, sight.height + 2]
      // From the newest one down in growing steps, then by halves.
      for (let step = 1; high - low > 1; step *= 2) {
        const middle = Math.max((low + high) >> 1, high - step)
        if ((await timeOf(middle)) > sinceMs) high = middle
        else low = middle
      }
      return Math.max(low, firstNew())
    }

    const measured = Math.min(MEASURED, at.height)
    blockMs ||= measured && (at.timeMs - (await timeOf(at.height - measured))) / measured
    const clues = { anchor, now: sight, wallMs, blockMs, openMs: 0 }
    if (isFirst && isPrompt) [first, wasNear] = [at, isNear(clues)]
    if (anchor.openMs === undefined && anchor.height === at.height && !isNear(clues))
      anchor = { ...anchor, openMs: await closedAt(core, { ...anchor, asked: 1 }, signal) }
    const isAsThen = isPrompt && (!wasNear || firstNew() === at.height + 1)
    let began = beginningOf({ ...clues, anchor })
    if (began === undefined && isNear(clues)) {
      began = beginningOf({ ...clues, openMs: (await keyBlock(at.height + 1, 1))?.timeMs ?? 0 })
    }
    const named = await openKeyBlock?.()
    if (isAsThen && began !== undefined && named === undefined) return null
    const namedHeight = named && ((await heightOf(place, named, signal)) ?? undefined)
    if (named !== undefined && !isNear(clues)) {
      // The API is behind, and at that pace, or the clock is wrong and a fork took that key block.
      if (namedHeight === undefined && !isLongUnknown(core)) return undefined
      // Another node at that address has it: the one that showed the newest macroblock is behind.
      if (namedHeight !== undefined && namedHeight > at.height + 1) return undefined
    }
    if (typeof began === 'object' && !(await isReadToItsEnd(core, { height: at.height, blockMs }, signal)))
      began = undefined
    const byChain = beginningBy(anchor)
    if (began === undefined) {
      // One that was opened later says nothing of those before it.
      const isOpenThen = namedHeight !== undefined && (await timeOf(namedHeight)) <= byChain
      return isOpenThen ? { height: namedHeight, timeMs: await timeOf(namedHeight) } : undefined
    }
    const sinceMs =
      typeof began === 'object'
        ? (anchor.openMs ?? (await closedAt(core, { ...anchor, asked: ASKED }, signal)) ?? anchor.timeMs) -
          anchor.elapsedMs
        : began
    let height = isAsThen ? at.height + 1 : await openAt(sinceMs)
    const isLower = namedHeight !== undefined && namedHeight < height
    if (isLower && (await timeOf(namedHeight + LATENESS_BLOCKS)) > byChain) height = namedHeight
    return { height, timeMs: await datedAt(height, at) }
  }
}

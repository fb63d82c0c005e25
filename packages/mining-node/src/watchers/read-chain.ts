import {
  getMacroblockOutline,
  type MacroblockOutline,
  type Naming,
  namedBelow,
  type PinnedCore,
} from '@hailstone/client'
import { apiError, type Hash, merkleRoot, type NodeError } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { asNodeError } from '../failure.ts'
import { assertOrigin } from './assert-origin.ts'
import { ABSENT } from './not-there.ts'

/** A key block by place and name. */
export type ChainLink = {
  readonly height: number
  readonly hash: Hash
  /** Unix milliseconds. */
  readonly timeMs: number
}

/** A macroblock by what the next key block commits to: after a fork the same key block can hold something else. */
type FilledLink = { readonly height: number; readonly hash: Hash; readonly root: Hash }

/** A macroblock of the chain, and the hash and root by which its key block names the one before it. */
type KeptLink = ChainLink & FilledLink & { readonly below: Naming }

/** Macroblocks that are caught up with after a pause; older ones are skipped. */
const CATCH_UP_LIMIT = 100
/** In one poll: a node that contradicts itself must not keep us busy. */
const REWINDS_LIMIT = 3
const LINKS_KEPT = 256
/** Macroblocks below the oldest that are read at most when somebody goes on from before. */
const REACH = 128
/** Answers without the macroblock that a key block names, of nodes that are behind or on a fork that was left. */
const ASKED_BELOW = 12
/** Answers before one that no rule names, and that was seen there before, counts: a fork may have filled it anew. */
const ASKED_AGAIN = 3
/** Macroblocks below an answered height at which a chain begins at most. */
const BEGIN_BELOW = 10

/**
 * The calculated macroblocks of one chain, each handed out once and taken back when it is replaced. After a pause of more
 * than a hundred the older ones are skipped, and with them the memory of what could be taken back. One that is not there
 * holds up those above it until that was said for minutes, by nodes that show the newest one; it is then reported as
 * `HEIGHT_UNAVAILABLE` and skipped.
 */
export type ReadChain = {
  /** Reads the macroblock after the newest one; null while it is not calculated. */
  readonly readNext: (core: PinnedCore, signal: AbortSignal) => Promise<MacroblockOutline | null>
  /**
   * Reads on to the macroblock below an answered height, or back to where the chain parted. False when the node
   * has less of the same chain than was seen, or does not have what it claims.
   *
   * @param next the macroblock after the newest one, if it was read already
   */
  readonly follow: (
    core: PinnedCore,
    height: number,
    next: MacroblockOutline | null,
    signal: AbortSignal,
  ) => Promise<boolean>
  /**
   * Reads the macroblocks from below the oldest of `links` down to a height, each the one that the key block above it
   * names, so that `stands` decides about them too. Does nothing where that is more than 128 below, or no node has them.
   * Calls `progressed` after each.
   *
   * @throws {NodeError} `CHAIN_INCONSISTENT` if all answers show another one there
   */
  readonly reach: (
    core: PinnedCore,
    height: number,
    signal: AbortSignal,
    progressed: () => void,
  ) => Promise<void>
  /** True while several macroblocks up to an answered height are still to be read. */
  readonly isCatchingUp: () => boolean
  /** Up to where it was read; null before the first macroblock. */
  readonly height: () => number | null
  /** Of the newest key blocks of the chain as it was last seen, oldest first. */
  readonly links: () => readonly ChainLink[]
  /** Unix milliseconds of a key block of the chain as it was last seen; undefined of one that was not read. */
  readonly timeAt: (height: number) => number | undefined
  /**
   * True if a macroblock is on the chain as it was last seen, false if another one took its place there. Null while that
   * is not known: of one that was never seen there, only the next macroblock says what it is.
   */
  readonly stands: (macroblock: FilledLink) => boolean | null
}

export function readChain(events: {
  readonly onCalculated: (macroblock: MacroblockOutline) => void
  readonly onReverted: (macroblock: ChainLink) => void
  readonly onError: (error: NodeError) => void
}): ReadChain {
  /** Oldest first. */
  let links: readonly KeptLink[] = []
  /** Macroblocks below the oldest of `links`, which `reach` has read or `links` has dropped, oldest first. */
  let older: readonly KeptLink[] = []
  /** Those that were taken back lately. */
  let left: readonly KeptLink[] = []
  let reached: number | null = null
  /** The newest macroblock that a height named, if it is far above those that were read; otherwise the newest of those. */
  let goal = 0
  /** That named heights stay far above what is read, and by how many macroblocks at least; null while they are near. */
  let distant: { readonly claim: Claim; readonly least: number } | null = null
  /** The newest macroblock below the first height of all, where it begins: nodes that fail do not move it up. */
  let first: number | null = null
  /** That the next macroblock is not there, since one above it was opened. */
  let missing: Claim | null = null
  /** Time of the youngest key block that was taken, or seen in the place of others. Unix milliseconds. */
  let youngestMs = 0
  /** The claim that the chain goes on with a macroblock that is older than that and built on another one. */
  let outdated: Claim | null = null
  let rewinds = 0
  /**
   * How far below a distant height the next question goes, from 0 to 9: the node that names the height may be ahead of the
   * one that shows macroblocks.
   */
  let shownBelow = 0
  /** Macroblocks below the newest where it begins: the node that names a height may be ahead of the one that shows it. */
  let lower = 0

  const linkAt = (at: number): KeptLink | undefined => links.find(({ height }) => height === at)

  const readNext: ReadChain['readNext'] = (core, signal) => calculatedAt(core, (reached ?? -1) + 1, signal)

  const follow: ReadChain['follow'] = async (core, height, next, signal) => {
    const newest = height - 1
    rewinds = 0
    first ??= newest
    if (next !== null && !(await take(core, next, newest, signal))) return false
    if (newest < 0) return (reached ?? -1) < 0
    const ahead = newest - (reached ?? newest - 1)
    // What a node claims that is not the next is only believed where it has the macroblock.
    if (ahead < 0 || ahead > CATCH_UP_LIMIT) {
      const macroblock = await calculatedAt(core, newest - (ahead > 0 ? shownBelow : 0), signal)
      if (macroblock === null) {
        if (ahead > 0) shownBelow = (shownBelow + 1) % BEGIN_BELOW
        return false
      }
      if (ahead > 0 || isOther(macroblock)) await assertOrigin(core, signal)
      if (ahead > 0) {
        links = older = []
        missing = null
        reached = newest - CATCH_UP_LIMIT
      } else if (isOther(macroblock)) {
        takeBackAbove(await forkBelow(core, keptLinkOf(macroblock), signal))
      } else return false
    }
    goal = next === null ? newest : Math.max(goal, newest)
    if (!(await goOn(core, newest, signal))) return false
    if (next === null) distant = distantAgain(core)
    // A reading that failed goes on.
    if (goal - (reached ?? goal) <= BEGIN_BELOW || isProved(distant?.claim ?? null, ABSENT))
      goal = reached ?? 0
    return true
  }

  /**
   * The node that names a height may be a few ahead of the one that shows macroblocks. Where one is far ahead for minutes,
   * and the distance does not fall, nothing is being caught up with.
   */
  function distantAgain({ source, clock }: PinnedCore): typeof distant {
    const distance = goal - (reached ?? goal)
    if (distance <= BEGIN_BELOW) return null
    const before = distant !== null && distance >= distant.least ? distant : null
    const claim = repeated(before?.claim ?? null, { source, atMs: clock.monotonicMs() })
    return { claim, least: before?.least ?? distance }
  }

  /**
   * A lower height is a node that is behind, also on a fork that was left, unless its newest macroblock is another than
   * was seen there and younger than everything that was seen: then the chain was put back, or began anew.
   */
  function isOther({ keyBlock: { height, hash, timeMs } }: MacroblockOutline): boolean {
    const [known, newestMs] = [linkAt(height), links.at(-1)?.timeMs ?? timeMs]
    // Key blocks are dated in whole seconds.
    return known === undefined ? timeMs > newestMs : known.hash !== hash && timeMs >= newestMs
  }

  /** Where it begins; a first height that is far below may be that of another chain, or of nobody. */
  function beginAt(newest: number): number {
    const from = Math.max(Math.min(first ?? newest, newest), newest - CATCH_UP_LIMIT)
    return Math.max(0, from - lower)
  }

  /**
   * One macroblock after the other; the newest may still take a moment to be calculated. False where they are of a fork
   * that was left.
   */
  async function goOn(core: PinnedCore, newest: number, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const height = reached === null ? beginAt(newest) : reached + 1
      if (height > newest) {
        // A node that shows the newest macroblock as it was seen ends the claim.
        const shown = outdated && (await calculatedAt(core, newest, signal))
        if (shown && shown.keyBlock.hash === linkAt(newest)?.hash) outdated = null
        return true
      }
      let failure: unknown = null
      const macroblock = await calculatedAt(core, height, signal).catch((error: unknown) => {
        failure = error
        return null
      })
      if (signal.aborted) return true
      if (macroblock !== null) {
        if (!(await take(core, macroblock, newest, signal))) return false
        continue
      }
      if (height < newest) {
        missing = repeated(missing, { source: core.source, atMs: core.clock.monotonicMs() })
      }
      const isHole = isProved(missing, ABSENT) && (await calculatedAt(core, newest, signal)) !== null
      if (!isHole && reached === null && lower < BEGIN_BELOW) lower++
      if (!isHole && failure !== null) throw failure
      if (!isHole) return true
      events.onError(asNodeError(failure ?? apiError('HEIGHT_UNAVAILABLE', { height })))
      missing = null
      reached = height
    }
  }

  /**
   * True if the macroblock, or one that is built on it, is not older than what was seen, or nothing else was shown for
   * minutes. A node on a fork that was left may have more macroblocks than one that is behind; those of a fork that takes
   * over go on to be younger.
   */
  async function isYoung(
    core: PinnedCore,
    macroblock: MacroblockOutline,
    newest: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { height, timeMs } = macroblock.keyBlock
    let shownMs = timeMs
    if (timeMs < youngestMs && newest > height) {
      const tip = await calculatedAt(core, newest, signal)
      if (tip !== null && (await isBuiltUpon(core, tip, macroblock, signal))) shownMs = tip.keyBlock.timeMs
    }
    if (shownMs < youngestMs) {
      outdated = repeated(outdated, { source: core.source, atMs: core.clock.monotonicMs() })
      if (!isProved(outdated, ABSENT)) return false
    }
    youngestMs = shownMs
    return true
  }

  /** Takes the next macroblock, or takes those back that it is not built on. False if it is of a fork that was left. */
  async function take(
    core: PinnedCore,
    macroblock: MacroblockOutline,
    newest: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { height, link, timeMs, merkleRoot: named } = macroblock.keyBlock
    const below = linkAt(height - 1)
    // A root that does not fit may be of a snapshot, or of the rule before the second fork (PROTOCOL 4.4).
    if (below !== undefined && (below.hash !== link || (named !== '' && below.root !== named))) {
      if (!(await isYoung(core, macroblock, newest, signal))) return false
      await assertOrigin(core, signal)
      const fork = await forkBelow(core, keptLinkOf(macroblock), signal)
      if (fork < below.height && ++rewinds <= REWINDS_LIMIT) {
        takeBackAbove(fork)
        return true
      }
      if (fork < below.height || below.hash !== link) {
        const reason = 'the macroblock that is built on it is not'
        throw apiError('CHAIN_INCONSISTENT', { height: below.height, reason })
      }
    }
    links = [...links, keptLinkOf(macroblock)]
    // Whoever is held up below does not read them again for each that is new.
    older = [...older, ...links.slice(0, -LINKS_KEPT)].slice(-REACH)
    links = links.slice(-LINKS_KEPT)
    missing = outdated = null
    youngestMs = Math.max(youngestMs, timeMs)
    reached = height
    events.onCalculated(macroblock)
    return true
  }

  /**
   * Returns the highest macroblock that the chain below a key block and the one of before have in common, as far as is
   * remembered. Each on the way is the one that the key block above names: a node that is behind has it open, with nothing
   * in it yet, and one on a fork that was left has another.
   */
  async function forkBelow(core: PinnedCore, from: KeptLink, signal: AbortSignal): Promise<number> {
    for (let above = from; ; ) {
      const height = above.height - 1
      const known = linkAt(height)
      if (known === undefined) return height
      const macroblock = await macroblockBelow(core, above, signal, known)
      if (macroblock === null) throw apiError('HEIGHT_UNAVAILABLE', { height })
      if (isSameLink(known, linkOf(macroblock))) return height
      above = keptLinkOf(macroblock)
    }
  }

  /** Reports macroblocks above the fork as reverted, the newest first. */
  function takeBackAbove(fork: number): void {
    const gone = links.filter(({ height }) => height > fork).reverse()
    links = links.filter(({ height }) => height <= fork)
    // The chain may have parted below, too.
    if (links.length === 0) older = []
    left = [...left, ...gone].slice(-LINKS_KEPT)
    missing = outdated = null
    reached = fork
    for (const link of gone) events.onReverted(link)
  }

  const reach: ReadChain['reach'] = async (core, height, signal, progressed) => {
    for (let [lowest] = [...older, ...links]; lowest !== undefined; [lowest] = [...older, ...links]) {
      const isFar = lowest.height - height > REACH || older.length >= REACH
      if (lowest.height <= Math.max(0, height) || isFar) return
      const macroblock = await macroblockBelow(core, lowest, signal)
      if (macroblock === null || signal.aborted) return
      // The poll may have left the chain meanwhile.
      const [now] = [...older, ...links]
      if (now === lowest) older = [keptLinkOf(macroblock), ...older]
      progressed()
    }
  }

  const isCatchingUp = (): boolean => goal > (reached ?? goal) + 1

  const seenAt = (at: number): KeptLink | undefined => linkAt(at) ?? older.find(({ height }) => height === at)

  const timeAt: ReadChain['timeAt'] = (height) => seenAt(height)?.timeMs

  const stands: ReadChain['stands'] = ({ height, hash, root }) => {
    const [seen, next] = [seenAt(height), seenAt(height + 1)]
    if (seen === undefined) return null
    const isSame = (one: KeptLink): boolean => one.hash === hash && one.root === root
    if (seen.hash === hash && root === (next?.below.merkleRoot || seen.root)) return true
    // A root that does not fit may be of a snapshot, or of the rule before the second fork (PROTOCOL 4.4).
    return isSame(seen) || !(next || left.some(isSame)) ? null : false
  }

  return { readNext, follow, reach, isCatchingUp, timeAt, stands, height: () => reached, links: () => links }
}

async function calculatedAt(
  core: PinnedCore,
  height: number,
  signal: AbortSignal,
): Promise<MacroblockOutline | null> {
  const macroblock = await getMacroblockOutline(core, { height, signal })
  return macroblock?.isCalculated === true ? macroblock : null
}

const isSameLink = (one: FilledLink, other: FilledLink): boolean =>
  one.hash === other.hash && one.root === other.root

/**
 * Returns the macroblock below a key block, as that names it; null while no node shows one. One whose root no rule gives
 * counts if all answers agree, or if it is the one that is known there.
 */
async function macroblockBelow(
  core: PinnedCore,
  { height: above, below }: KeptLink,
  signal: AbortSignal,
  known?: FilledLink,
): Promise<MacroblockOutline | null> {
  const height = above - 1
  const isNamed = namedBelow(below, core, signal)
  const shown: MacroblockOutline[] = []
  for (let asked = 0; asked < ASKED_BELOW; asked++) {
    const macroblock = await calculatedAt(core, height, signal)
    if (macroblock === null) continue
    if (await isNamed(macroblock)) return macroblock
    const isKnown = known?.hash === below.link && isSameLink(known, linkOf(macroblock))
    if (isKnown && asked >= ASKED_AGAIN) return macroblock
    shown.push(macroblock)
  }
  const [first] = shown
  if (first === undefined) return null
  const isAgreed = shown.every(
    (other) => other.keyBlock.hash === below.link && rootOf(other) === rootOf(first),
  )
  if (isAgreed) return first
  throw apiError('CHAIN_INCONSISTENT', { height, reason: 'the macroblock that is built on it is not' })
}

/** True if a macroblock is the one that is found from another one above it, link by link. */
async function isBuiltUpon(
  core: PinnedCore,
  tip: MacroblockOutline,
  below: MacroblockOutline,
  signal: AbortSignal,
): Promise<boolean> {
  let reached: MacroblockOutline | null = tip
  while (reached !== null && reached.keyBlock.height > below.keyBlock.height)
    reached = await macroblockBelow(core, keptLinkOf(reached), signal)
  return reached !== null && isSameLink(linkOf(reached), linkOf(below))
}

const keptLinkOf = (macroblock: MacroblockOutline): KeptLink => {
  const { timeMs, link, merkleRoot } = macroblock.keyBlock
  return { ...linkOf(macroblock), timeMs, below: { link, merkleRoot } }
}

export const linkOf = (macroblock: MacroblockOutline): FilledLink => ({
  height: macroblock.keyBlock.height,
  hash: macroblock.keyBlock.hash,
  root: rootOf(macroblock),
})

/** Returns what the next key block commits to. */
export const rootOf = ({ microblocks, statBlocks }: MacroblockOutline): Hash =>
  merkleRoot({
    microblockHashes: microblocks.map(({ hash }) => hash),
    statBlockHashes: statBlocks.map(({ hash }) => hash),
  })

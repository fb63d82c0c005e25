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

/** That named heights stay far above what is read, and by how many macroblocks at least. */
type Distant = { readonly claim: Claim; readonly least: number }

type ReadChainEvents = {
  readonly onCalculated: (macroblock: MacroblockOutline) => void
  readonly onReverted: (macroblock: ChainLink) => void
  readonly onError: (error: NodeError) => void
}

class ChainReader implements ReadChain {
  readonly #events: ReadChainEvents
  /** Oldest first. */
  #links: readonly KeptLink[] = []
  /** Macroblocks below the oldest of `links`, which `reach` has read or `links` has dropped, oldest first. */
  #older: readonly KeptLink[] = []
  /** Those that were taken back lately. */
  #left: readonly KeptLink[] = []
  #reached: number | null = null
  /** The newest macroblock that a height named, if it is far above those that were read; otherwise the newest of those. */
  #goal = 0
  /** Null while named heights are near. */
  #distant: Distant | null = null
  /** The newest macroblock below the first height of all, where it begins: nodes that fail do not move it up. */
  #first: number | null = null
  /** That the next macroblock is not there, since one above it was opened. */
  #missing: Claim | null = null
  /** Time of the youngest key block that was taken, or seen in the place of others. Unix milliseconds. */
  #youngestMs = 0
  /** The claim that the chain goes on with a macroblock that is older than that and built on another one. */
  #outdated: Claim | null = null
  #rewinds = 0
  /**
   * How far below a distant height the next question goes, from 0 to 9: the node that names the height may be ahead of the
   * one that shows macroblocks.
   */
  #shownBelow = 0
  /** Macroblocks below the newest where it begins: the node that names a height may be ahead of the one that shows it. */
  #lower = 0

  constructor(events: ReadChainEvents) {
    this.#events = events
  }

  #linkAt(at: number): KeptLink | undefined {
    return this.#links.find(({ height }) => height === at)
  }

  readonly readNext: ReadChain['readNext'] = (core, signal) =>
    calculatedAt(core, (this.#reached ?? -1) + 1, signal)

  readonly follow: ReadChain['follow'] = async (core, height, next, signal) => {
    const newest = height - 1
    this.#rewinds = 0
    this.#first ??= newest
    if (next !== null && !(await this.#take(core, next, newest, signal))) return false
    if (newest < 0) return (this.#reached ?? -1) < 0
    const ahead = newest - (this.#reached ?? newest - 1)
    // What a node claims that is not the next is only believed where it has the macroblock.
    if (ahead < 0 || ahead > CATCH_UP_LIMIT) {
      const macroblock = await calculatedAt(core, newest - (ahead > 0 ? this.#shownBelow : 0), signal)
      if (macroblock === null) {
        if (ahead > 0) this.#shownBelow = (this.#shownBelow + 1) % BEGIN_BELOW
        return false
      }
      if (ahead > 0 || this.#isOther(macroblock)) await assertOrigin(core, signal)
      if (ahead > 0) {
        this.#links = this.#older = []
        this.#missing = null
        this.#reached = newest - CATCH_UP_LIMIT
      } else if (this.#isOther(macroblock)) {
        this.#takeBackAbove(await this.#forkBelow(core, keptLinkOf(macroblock), signal))
      } else return false
    }
    this.#goal = next === null ? newest : Math.max(this.#goal, newest)
    if (!(await this.#goOn(core, newest, signal))) return false
    if (next === null) this.#distant = this.#distantAgain(core)
    // A reading that failed goes on.
    if (
      this.#goal - (this.#reached ?? this.#goal) <= BEGIN_BELOW ||
      isProved(this.#distant?.claim ?? null, ABSENT)
    )
      this.#goal = this.#reached ?? 0
    return true
  }

  /**
   * The node that names a height may be a few ahead of the one that shows macroblocks. Where one is far ahead for minutes,
   * and the distance does not fall, nothing is being caught up with.
   */
  #distantAgain({ source, clock }: PinnedCore): Distant | null {
    const distance = this.#goal - (this.#reached ?? this.#goal)
    if (distance <= BEGIN_BELOW) return null
    const before = this.#distant !== null && distance >= this.#distant.least ? this.#distant : null
    const claim = repeated(before?.claim ?? null, { source, atMs: clock.monotonicMs() })
    return { claim, least: before?.least ?? distance }
  }

  /**
   * A lower height is a node that is behind, also on a fork that was left, unless its newest macroblock is another than
   * was seen there and younger than everything that was seen: then the chain was put back, or began anew.
   */
  #isOther({ keyBlock: { height, hash, timeMs } }: MacroblockOutline): boolean {
    const [known, newestMs] = [this.#linkAt(height), this.#links.at(-1)?.timeMs ?? timeMs]
    // Key blocks are dated in whole seconds.
    return known === undefined ? timeMs > newestMs : known.hash !== hash && timeMs >= newestMs
  }

  /** Where it begins; a first height that is far below may be that of another chain, or of nobody. */
  #beginAt(newest: number): number {
    const from = Math.max(Math.min(this.#first ?? newest, newest), newest - CATCH_UP_LIMIT)
    return Math.max(0, from - this.#lower)
  }

  /**
   * One macroblock after the other; the newest may still take a moment to be calculated. False where they are of a fork
   * that was left.
   */
  async #goOn(core: PinnedCore, newest: number, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const height = this.#reached === null ? this.#beginAt(newest) : this.#reached + 1
      if (height > newest) {
        // A node that shows the newest macroblock as it was seen ends the claim.
        const shown = this.#outdated && (await calculatedAt(core, newest, signal))
        if (shown && shown.keyBlock.hash === this.#linkAt(newest)?.hash) this.#outdated = null
        return true
      }
      let failure: unknown = null
      const macroblock = await calculatedAt(core, height, signal).catch((error: unknown) => {
        failure = error
        return null
      })
      if (signal.aborted) return true
      if (macroblock !== null) {
        if (!(await this.#take(core, macroblock, newest, signal))) return false
        continue
      }
      if (height < newest) {
        this.#missing = repeated(this.#missing, { source: core.source, atMs: core.clock.monotonicMs() })
      }
      const isHole = isProved(this.#missing, ABSENT) && (await calculatedAt(core, newest, signal)) !== null
      if (!isHole && this.#reached === null && this.#lower < BEGIN_BELOW) this.#lower++
      if (!isHole && failure !== null) throw failure
      if (!isHole) return true
      this.#events.onError(asNodeError(failure ?? apiError('HEIGHT_UNAVAILABLE', { height })))
      this.#missing = null
      this.#reached = height
    }
  }

  /**
   * True if the macroblock, or one that is built on it, is not older than what was seen, or nothing else was shown for
   * minutes. A node on a fork that was left may have more macroblocks than one that is behind; those of a fork that takes
   * over go on to be younger.
   */
  async #isYoung(
    core: PinnedCore,
    macroblock: MacroblockOutline,
    newest: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { height, timeMs } = macroblock.keyBlock
    let shownMs = timeMs
    if (timeMs < this.#youngestMs && newest > height) {
      const tip = await calculatedAt(core, newest, signal)
      if (tip !== null && (await isBuiltUpon(core, tip, macroblock, signal))) shownMs = tip.keyBlock.timeMs
    }
    if (shownMs < this.#youngestMs) {
      this.#outdated = repeated(this.#outdated, { source: core.source, atMs: core.clock.monotonicMs() })
      if (!isProved(this.#outdated, ABSENT)) return false
    }
    this.#youngestMs = shownMs
    return true
  }

  /** Takes the next macroblock, or takes those back that it is not built on. False if it is of a fork that was left. */
  async #take(
    core: PinnedCore,
    macroblock: MacroblockOutline,
    newest: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { height, link, timeMs, merkleRoot: named } = macroblock.keyBlock
    const below = this.#linkAt(height - 1)
    // A root that does not fit may be of a snapshot, or of the rule before the second fork (PROTOCOL 4.4).
    if (below !== undefined && (below.hash !== link || (named !== '' && below.root !== named))) {
      if (!(await this.#isYoung(core, macroblock, newest, signal))) return false
      await assertOrigin(core, signal)
      const fork = await this.#forkBelow(core, keptLinkOf(macroblock), signal)
      if (fork < below.height && ++this.#rewinds <= REWINDS_LIMIT) {
        this.#takeBackAbove(fork)
        return true
      }
      if (fork < below.height || below.hash !== link) {
        const reason = 'the macroblock that is built on it is not'
        throw apiError('CHAIN_INCONSISTENT', { height: below.height, reason })
      }
    }
    this.#links = [...this.#links, keptLinkOf(macroblock)]
    // Whoever is held up below does not read them again for each that is new.
    this.#older = [...this.#older, ...this.#links.slice(0, -LINKS_KEPT)].slice(-REACH)
    this.#links = this.#links.slice(-LINKS_KEPT)
    this.#missing = this.#outdated = null
    this.#youngestMs = Math.max(this.#youngestMs, timeMs)
    this.#reached = height
    this.#events.onCalculated(macroblock)
    return true
  }

  /**
   * Returns the highest macroblock that the chain below a key block and the one of before have in common, as far as is
   * remembered. Each on the way is the one that the key block above names: a node that is behind has it open, with nothing
   * in it yet, and one on a fork that was left has another.
   */
  async #forkBelow(core: PinnedCore, from: KeptLink, signal: AbortSignal): Promise<number> {
    for (let above = from; ; ) {
      const height = above.height - 1
      const known = this.#linkAt(height)
      if (known === undefined) return height
      const macroblock = await macroblockBelow(core, above, signal, known)
      if (macroblock === null) throw apiError('HEIGHT_UNAVAILABLE', { height })
      if (isSameLink(known, linkOf(macroblock))) return height
      above = keptLinkOf(macroblock)
    }
  }

  /** Reports macroblocks above the fork as reverted, the newest first. */
  #takeBackAbove(fork: number): void {
    const gone = this.#links.filter(({ height }) => height > fork).reverse()
    this.#links = this.#links.filter(({ height }) => height <= fork)
    // The chain may have parted below, too.
    if (this.#links.length === 0) this.#older = []
    this.#left = [...this.#left, ...gone].slice(-LINKS_KEPT)
    this.#missing = this.#outdated = null
    this.#reached = fork
    for (const link of gone) this.#events.onReverted(link)
  }

  readonly reach: ReadChain['reach'] = async (core, height, signal, progressed) => {
    for (
      let [lowest] = [...this.#older, ...this.#links];
      lowest !== undefined;
      [lowest] = [...this.#older, ...this.#links]
    ) {
      const isFar = lowest.height - height > REACH || this.#older.length >= REACH
      if (lowest.height <= Math.max(0, height) || isFar) return
      const macroblock = await macroblockBelow(core, lowest, signal)
      if (macroblock === null || signal.aborted) return
      // The poll may have left the chain meanwhile.
      const [now] = [...this.#older, ...this.#links]
      if (now === lowest) this.#older = [keptLinkOf(macroblock), ...this.#older]
      progressed()
    }
  }

  readonly isCatchingUp = (): boolean => this.#goal > (this.#reached ?? this.#goal) + 1

  #seenAt(at: number): KeptLink | undefined {
    return this.#linkAt(at) ?? this.#older.find(({ height }) => height === at)
  }

  readonly timeAt: ReadChain['timeAt'] = (height) => this.#seenAt(height)?.timeMs

  readonly stands: ReadChain['stands'] = ({ height, hash, root }) => {
    const [seen, next] = [this.#seenAt(height), this.#seenAt(height + 1)]
    if (seen === undefined) return null
    const isSame = (one: KeptLink): boolean => one.hash === hash && one.root === root
    if (seen.hash === hash && root === (next?.below.merkleRoot || seen.root)) return true
    // A root that does not fit may be of a snapshot, or of the rule before the second fork (PROTOCOL 4.4).
    return isSame(seen) || !(next || this.#left.some(isSame)) ? null : false
  }

  readonly height = (): number | null => this.#reached

  readonly links = (): readonly ChainLink[] => this.#links
}

export const readChain = (events: ReadChainEvents): ReadChain => new ChainReader(events)

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

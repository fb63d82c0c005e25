import { getMacroblock, type MacroblockInfo, type PinnedCore } from '@hailstone/client'
import { apiError, legacyMerkleRoot, merkleRoot, type NodeError, sha256Hex } from '@hailstone/protocol'
import { type ChainLink, type ChainLinks, createChainLinks } from './chain-links.ts'
import { asNodeError } from './failure.ts'

export type CalculatedMacroblock = MacroblockInfo
export type RevertedMacroblock = ChainLink

/** Where on the chain a reading takes place, and the node that was seen to stand there. */
export type ChainPlace = {
  readonly core: PinnedCore
  /** Of the newest calculated macroblock. */
  readonly height: number
}

export type ReadChainEvents = {
  readonly onCalculated: (macroblock: CalculatedMacroblock, place: ChainPlace) => void
  readonly onReverted: (macroblock: RevertedMacroblock) => void
  readonly onError: (error: NodeError) => void
}

/** Macroblocks that are caught up with after a pause; older ones are skipped. */
const CATCH_UP_LIMIT = 100
/** Polls a macroblock may fail before it counts as a hole. */
const PATIENCE = 5

const REWINDS_LIMIT = 3

/** What a height that a node answers means. `behind`: the node has less of the same chain than was seen. */
export type Standing = 'current' | 'behind' | 'unproven'

/** The calculated macroblocks of one chain, each handed out once and taken back when it is replaced. */
export type ReadChain = {
  /** Reads on to the macroblock below an answered height, or back to where the chain parted. */
  readonly follow: (core: PinnedCore, height: number, signal: AbortSignal) => Promise<Standing>
  /** Of the newest macroblock that was handed out; null before the first. */
  readonly height: () => number | null
  readonly links: Pick<ChainLinks, 'heightOf' | 'hashAt'>
}

export function readChain(events: ReadChainEvents): ReadChain {
  const links = createChainLinks()
  let calculated: number | null = null
  /** When the newest macroblock that was handed out was made, Unix seconds. */
  let calculatedTime = Number.POSITIVE_INFINITY
  /** For the next macroblock, since one above it was opened. */
  let attempts = 0
  /** The one that was handed out last, whole. */
  let last: MacroblockInfo | null = null
  /** Since the last poll: a node that contradicts itself must not keep us busy. */
  let rewinds = 0

  async function follow(core: PinnedCore, height: number, signal: AbortSignal): Promise<Standing> {
    const newest = height - 1
    rewinds = 0
    if (newest < 0) return calculated === null ? 'current' : 'behind'
    if (calculated !== null && newest < calculated) return goBack(core, newest, signal)
    if (calculated === null) return begin(core, newest, signal)
    if (newest - calculated > CATCH_UP_LIMIT) return leap(core, newest, signal)
    return goOn(core, newest, signal)
  }

  /** A height alone proves nothing: a node that made it up would keep us waiting for the chain to reach it. */
  async function begin(core: PinnedCore, newest: number, signal: AbortSignal): Promise<Standing> {
    const macroblock = await calculatedAt(core, newest, signal)
    if (macroblock !== null && !signal.aborted) await take(core, macroblock, signal)
    return 'current'
  }

  /** One macroblock after the other; the newest may still take a moment to be calculated. */
  async function goOn(core: PinnedCore, newest: number, signal: AbortSignal): Promise<Standing> {
    while (calculated !== null && calculated < newest && !signal.aborted) {
      const height: number = calculated + 1
      if (height < newest) attempts++
      const macroblock = await readOrHole(core, height, newest, signal)
      if (macroblock === 'later') return 'current'
      if (signal.aborted) return 'current'
      attempts = 0
      if (macroblock === 'hole') calculated = height
      else await take(core, macroblock, signal)
    }
    return 'current'
  }

  async function take(core: PinnedCore, macroblock: MacroblockInfo, signal: AbortSignal): Promise<void> {
    const { height, hash, link, time } = macroblock.keyBlock
    const before = links.hashAt(height - 1)
    // The chain parted below: what was handed out is taken back first.
    const hasParted =
      before !== undefined && (before !== link || (await isReplaced(core, macroblock, signal)))
    if (hasParted) return rewind(core, height - 1, signal)
    links.add({ height, hash, content: contentOf(macroblock) })
    last = macroblock
    calculated = height
    calculatedTime = time
    events.onCalculated(macroblock, { core, height })
  }

  /**
   * Whether the macroblock below holds something else than was handed out, under the same name: a key block commits
   * to what the one before it holds (PROTOCOL 4.4). Where the root does not fit the macroblock is read once more,
   * for it may depend on what is not known here.
   */
  async function isReplaced(
    core: PinnedCore,
    { keyBlock }: MacroblockInfo,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (last === null || keyBlock.merkleRoot === '' || isCommitted(last, keyBlock.merkleRoot)) return false
    const below = keyBlock.height - 1
    const now = await getMacroblock(core, { height: below, signal })
    return now !== undefined && contentOf(now) !== links.contentAt(below)
  }

  async function rewind(core: PinnedCore, from: number, signal: AbortSignal): Promise<void> {
    const fork = await forkBelow(core, from, signal)
    if (signal.aborted) return
    if (fork === from || ++rewinds > REWINDS_LIMIT) {
      const reason = 'the macroblock that is built on it is not'
      throw apiError('CHAIN_INCONSISTENT', { height: from, reason })
    }
    calculated = fork
    last = null
    for (const link of links.cutAbove(fork)) events.onReverted(link)
  }

  /** The highest macroblock that the chain of before and the one of now have in common, as far as is remembered. */
  async function forkBelow(core: PinnedCore, from: number, signal: AbortSignal): Promise<number> {
    for (let height = from; ; height--) {
      const known = links.hashAt(height)
      if (known === undefined) return height
      const macroblock = await getMacroblock(core, { height, signal })
      if (macroblock === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height })
      const isSame = macroblock.keyBlock.hash === known && contentOf(macroblock) === links.contentAt(height)
      if (isSame) return height
    }
  }

  /**
   * A lower height is a node that is behind, unless its newest macroblock is another than was seen there, or is
   * younger than everything that was seen above it: then the chain was put back, or began anew.
   */
  async function goBack(core: PinnedCore, newest: number, signal: AbortSignal): Promise<Standing> {
    const macroblock = await calculatedAt(core, newest, signal)
    if (macroblock === null || signal.aborted) return 'behind'
    const known = links.hashAt(newest)
    const { hash, time } = macroblock.keyBlock
    if (known === undefined ? time <= calculatedTime : known === hash) return 'behind'
    if (known === undefined) takeAllBack(newest)
    else await rewind(core, newest, signal)
    return goOn(core, newest, signal)
  }

  /** Where it parted is older than what is remembered. */
  function takeAllBack(newest: number): void {
    calculated = newest - 1
    for (const link of links.cutAbove(-1)) events.onReverted(link)
  }

  /** Far ahead is only believed of a node that has the macroblock. */
  async function leap(core: PinnedCore, newest: number, signal: AbortSignal): Promise<Standing> {
    const macroblock = await calculatedAt(core, newest, signal)
    if (macroblock === null) return 'unproven'
    links.cutAbove(-1)
    last = null
    calculated = newest - CATCH_UP_LIMIT
    return goOn(core, newest, signal)
  }

  async function calculatedAt(
    core: PinnedCore,
    height: number,
    signal: AbortSignal,
  ): Promise<MacroblockInfo | null> {
    const macroblock = await getMacroblock(core, { height, signal })
    return macroblock?.isCalculated === true ? macroblock : null
  }

  /** A hole is only believed where the node has the macroblock on top: else it made the height up. */
  async function readOrHole(
    core: PinnedCore,
    height: number,
    newest: number,
    signal: AbortSignal,
  ): Promise<MacroblockInfo | 'later' | 'hole'> {
    const isLastAttempt = attempts >= PATIENCE
    const holeIfProven = async () =>
      isLastAttempt && (await calculatedAt(core, newest, signal)) !== null ? 'hole' : 'later'
    try {
      return (await calculatedAt(core, height, signal)) ?? (await holeIfProven())
    } catch (error) {
      if (signal.aborted || !isLastAttempt || (await holeIfProven()) === 'later') throw error
      events.onError(asNodeError(error))
      return 'hole'
    }
  }

  return { follow, height: () => calculated, links }
}

const leavesOf = ({ microblocks, statBlocks }: MacroblockInfo) => ({
  microblockHashes: microblocks.map(({ hash }) => hash),
  statBlockHashes: statBlocks.map(({ hash }) => hash),
})

function contentOf(macroblock: MacroblockInfo): string {
  const { microblockHashes, statBlockHashes } = leavesOf(macroblock)
  return sha256Hex([...[...microblockHashes].sort(), '', ...[...statBlockHashes].sort()].join(' '))
}

function isCommitted(macroblock: MacroblockInfo, root: string): boolean {
  const leaves = leavesOf(macroblock)
  return merkleRoot(leaves) === root || legacyMerkleRoot(leaves) === root
}

import { type ClientCore, getMacroblock, type PinnedCore, pinnedCore } from '@hailstone/client'
import { apiError } from '@hailstone/protocol'
import type { ChainLink } from './chain-links.ts'
import { chainTipOf } from './chain-tip.ts'
import type { OnError } from './failure.ts'
import { readingPace } from './reading-pace.ts'
import { onDemand } from './repeat.ts'
import { POLL_INTERVAL_MS, type PollOptions, paceOf, type Watch, watchHandle } from './watch-handle.ts'

/** Where a reading takes place: at which node, and at which macroblock at least. */
export type ReadingPlace = { readonly core: PinnedCore; readonly height: number | null }

/** Something about an account that is read again and again. */
export type AccountReading = Watch & {
  /** There is reason to read now, without waiting for the next macroblock in turn. */
  readonly readNow: () => void
}

/**
 * Reads once when the place on the chain is known, or cannot be learned, and then in the pace of the macroblocks,
 * from the node that was seen to have them. A reading that failed is repeated, once the node has shown that it
 * still stands there: one that fell behind would answer with what was true before.
 */
export function readAccount(
  parameters: PollOptions & {
    readonly client: ClientCore
    readonly read: (place: ReadingPlace, signal: AbortSignal) => Promise<void>
    /** For each macroblock that is taken back, before anything is read from what replaced it. */
    readonly onReverted?: ((macroblock: ChainLink) => void) | undefined
    readonly onError: OnError
  },
): AccountReading {
  const { client, read, onReverted, onError, pollIntervalMs: intervalMs = POLL_INTERVAL_MS } = parameters
  const chain = chainTipOf(client)
  let answers = 0
  let hasBegun = false
  let isRepetition = false

  async function readAgain(signal: AbortSignal): Promise<void> {
    const place = chain.place() ?? { core: pinnedCore(client), height: null }
    if (isRepetition) await assertStands(place, chain.hashAt, signal)
    isRepetition = true
    await read(place, signal)
    isRepetition = false
  }

  const reading = onDemand({ pace: client, intervalMs, onError, task: readAgain })
  const pace = readingPace({
    now: client.clock.monotonicMs,
    blockTimeMs: paceOf(parameters),
    read: reading.trigger,
  })

  function begin(): void {
    if (hasBegun) return
    hasBegun = true
    pace.now()
  }

  const leave = chain.subscribe({
    pollIntervalMs: intervalMs,
    onCalculated: () => {
      if (hasBegun) pace.macroblock()
      else begin()
    },
    onReverted: (macroblock) => {
      // What replaced it is read without waiting for its turn.
      hasBegun = false
      onReverted?.(macroblock)
    },
    onAnswer: ({ isStale }) => {
      answers++
      if (isStale) return
      pace.answered()
      // The network is there, and its newest macroblock is not calculated yet.
      if (answers > 1) begin()
    },
    onError: begin,
  })
  if (chain.place() !== null) begin()
  const stop = async (): Promise<void> => {
    await Promise.all([leave(), reading.stop()])
  }
  return { ...watchHandle(stop), readNow: pace.now }
}

/** @throws {NodeError} `HEIGHT_UNAVAILABLE` when the node has no longer, or not yet, what it was seen to have */
export async function assertStands(
  { core, height }: ReadingPlace,
  hashAt: (height: number) => string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (height === null) return
  const macroblock = await getMacroblock(core, { height, signal })
  if (macroblock?.keyBlock.hash !== hashAt(height)) throw apiError('HEIGHT_UNAVAILABLE', { height })
}

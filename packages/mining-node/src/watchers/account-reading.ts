import type { ClientCore } from '@hailstone/client'
import { isNodeError } from '@hailstone/protocol'
import { errorListener, type OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { assertStands, followTip, type ReadingPlace } from './chain-tip.ts'
import type { NamedAccounts } from './named-accounts.ts'
import type { ChainLink } from './read-chain.ts'
import { POLL_INTERVAL_MS, type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

/** Something about an account that is read again and again. */
export type AccountReading = Watch & {
  /** There is reason to read now, without waiting for the next macroblock in turn. */
  readonly readNow: () => void
}

/** A reading that is told of what its account earns. */
export type EarningReading = AccountReading & {
  /**
   * The macroblock that is handed out at the moment pays the account: it is read without waiting for its turn, unless
   * the macroblock before it did so too. An account that earns in every macroblock is read at every third one, and at the
   * second one after the last that paid.
   */
  readonly earned: () => void
}

/** Macroblocks from one reading to the next while the account earns in each of them. */
const EVERY_IN_ROW = 3
/** More than one, or the macroblock that is in time would find that its reading was made up for just before. */
const CATCH_UP_AFTER_BLOCKS = 1.25

/**
 * Reads once when the place on the chain is known, or cannot be learned; then at every second macroblock, and a good
 * block time after one that was passed over. An account changes more seldom than the chain grows, so this halves the
 * load of all who watch and delays the news by a block at most. It needs no timer: nothing is read but right after
 * the network showed where it stands, from the node that did. A reading that failed is repeated, once the node has
 * shown that it still stands there: one that fell behind would answer with what was true before.
 */
export function readAccount(
  parameters: PollOptions & {
    readonly client: ClientCore
    /** True when what was read has to be read once more. */
    readonly read: (place: ReadingPlace, signal: AbortSignal, progressed: () => void) => Promise<boolean>
    /**
     * Macroblocks are reverted; called before anything is read from those that replaced them. With the newest one that
     * still stands, null where that is below everything that was seen.
     */
    readonly onReverted?: ((macroblock: ChainLink, below: ChainLink | null) => void) | undefined
    readonly onError?: OnError | undefined
    readonly isConcerned?: NamedAccounts['isConcerned'] | undefined
  },
): EarningReading {
  const { client, read, isConcerned, onReverted, pollIntervalMs } = parameters
  const { blockTimeMs = 5 * (pollIntervalMs ?? POLL_INTERVAL_MS) } = parameters
  const now = client.clock.monotonicMs
  const tell = errorListener(parameters)
  /** True if the next macroblock triggers a reading. */
  let isNext = true
  /** Time of the next catch-up reading, at the network's next answer. */
  let dueAt = Number.POSITIVE_INFINITY
  let isFirst = true
  let isRepetition = false
  /** Heights of the macroblock after which it was last read, of the last one that earned a reading, and of the last that paid. */
  let readAt: number | undefined
  let earnedAt = -2
  let paidAt = -2

  const reading = onDemand({
    ...parameters,
    task: async (signal, progressed) => {
      const place = tip.place()
      if (isRepetition) await assertStands(place, signal)
      isRepetition = true
      isRepetition = await read(place, signal, progressed)
      return isRepetition
    },
  })

  function readNow(): void {
    isFirst = false
    isNext = false
    dueAt = Number.POSITIVE_INFINITY
    readAt = tip.place().at?.height
    reading.trigger()
  }

  function earned(): void {
    const height = tip.place().at?.height ?? 0
    const isInRow = height === paidAt + 1
    paidAt = height
    if (isInRow && height < earnedAt + EVERY_IN_ROW) return
    earnedAt = height
    if (readAt !== height) readNow()
  }

  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: (macroblock) => {
      const concerned = isConcerned?.(tip.place(), macroblock)
      if (concerned) return concerned.then((is) => is && readNow())
      const { height } = macroblock.keyBlock
      // It earned a reading before its turn was looked at.
      if (readAt === height) return
      const isInRow = paidAt >= height - 1 && readAt !== undefined && height < readAt + EVERY_IN_ROW
      if (isNext && !isInRow) return readNow()
      const catchUpAt = now() + CATCH_UP_AFTER_BLOCKS * blockTimeMs
      dueAt = isNext ? catchUpAt : Math.min(dueAt, catchUpAt)
      isNext = true
    },
    onReverted: (macroblock) => {
      // What replaced it is read without waiting for its turn.
      isNext = true
      readAt = undefined
      paidAt = -2
      dueAt = now()
      onReverted?.(macroblock, tip.place().at)
    },
    onAnswer: ({ isStale }) => {
      if (isStale) return
      if (now() >= dueAt) readNow()
      // The network is there; its newest macroblock may not be calculated yet.
      else if (isFirst) dueAt = now()
      isFirst = false
    },
    onError: (error) => {
      // Other failures of the poll say nothing of this account.
      if (isNodeError(error, 'NETWORK_MISMATCH')) tell(error)
      else if (isFirst) readNow()
    },
  })
  if (tip.place().at !== null) readNow()
  return { ...watchHandle(tip.leave, reading.stop), readNow, earned }
}

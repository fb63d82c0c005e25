import { type ClientCore, getMinersOnline, pinnedCore } from '@hailstone/client'
import { type Address, isNodeError } from '@hailstone/protocol'
import { untilYes } from '../api-view.ts'
import type { ReportTo } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import type { MiningSnapshot } from '../store/mining-snapshot.ts'
import type { WritableStore } from '../store/mining-store.ts'
import { isListed, SEEN_EVERY_MS, seenAgainMs, type UnseenReason, withList } from './seen.ts'

/** Time after a hail before the list is asked for, in ms: a miner that works has a microblock in a macroblock by then. */
const FIRST_LIST_MS = 60_000
/** An included microblock proves for so long that the network sees its miner, in ms. */
const PROVED_FOR_MS = 600_000
/** Failures in a row after which the pause between two questions grows no more: it doubles with each after the first. */
const MOST_FAILURES = 5

/**
 * Asks now and then whether the network lists a miner, and keeps the answer in the store. A miner whose microblocks are
 * included is seen: the list, which grows with the network, is then not asked for.
 */
export function watchSeen(
  parameters: ReportTo & {
    readonly client: ClientCore
    readonly address: Address
    readonly pollIntervalMs: number | undefined
    readonly store: WritableStore<MiningSnapshot>
  },
) {
  const { client, address, store } = parameters
  let isLinked = false
  let dueAt = Number.POSITIVE_INFINITY
  /** From the last answer to the next question, whether the answer is in the store or not. */
  let pauseMs = SEEN_EVERY_MS
  let includedAt = Number.NEGATIVE_INFINITY
  /** In a row. A list that is longer than an answer may be fails each time, at the cost of the longest answer. */
  let failures = 0

  function unknown(reason: UnseenReason): void {
    const { seen } = store.snapshot()
    if (seen.status !== 'unknown' || seen.reason !== reason)
      store.update({ seen: { status: 'unknown', reason } })
  }

  /** Asks other nodes too, where one leaves this miner out. */
  async function read(signal: AbortSignal): Promise<void> {
    const { answer: list, sources } = await untilYes(
      pinnedCore(client),
      (core) => getMinersOnline(core, { signal }),
      (online) => !isListed(online, address),
      client.transport.nodes?.(),
    )
    failures = 0
    if (signal.aborted || !isLinked) return
    const given = { list, address, sources, atMs: client.clock.monotonicMs(), readAtMs: client.clock.now() }
    const seen = withList(store.snapshot().seen, given)
    pauseMs = seenAgainMs(seen)
    store.update({ seen })
  }

  const reading = onDemand({
    ...parameters,
    // The list tells about mining and is not needed for it: what fails is unknown, and asked again in its time.
    task: async (signal) => {
      await read(signal).catch((error: unknown) => {
        if (!isNodeError(error)) throw error
        pauseMs = SEEN_EVERY_MS * 2 ** Math.min(failures++, MOST_FAILURES)
        unknown('failed')
      })
      dueAt = client.clock.monotonicMs() + pauseMs
    },
  })

  return {
    /** The gateway was hailed, or is lost. */
    linked: (isNow: boolean): void => {
      if (isNow && isLinked) return
      isLinked = isNow
      // A gateway that starts again takes in all its miners at once: the longer their list, the further apart they ask.
      const laterMs = pauseMs - SEEN_EVERY_MS
      dueAt = client.clock.monotonicMs() + FIRST_LIST_MS + (laterMs && laterMs * client.randomness())
      unknown(isNow ? 'notAsked' : 'notConnected')
    },
    /** A microblock of this miner is in a macroblock. It refutes a list without the miner. */
    included: (): void => {
      includedAt = client.clock.monotonicMs()
      if (store.snapshot().seen.status === 'notSeen') unknown('notAsked')
    },
    /** Asks if it is time. */
    readInTime: (): void => {
      const now = client.clock.monotonicMs()
      if (!isLinked || now < dueAt || now - includedAt < PROVED_FOR_MS) return
      dueAt = Number.POSITIVE_INFINITY
      reading.trigger()
    },
    stop: reading.stop,
  }
}

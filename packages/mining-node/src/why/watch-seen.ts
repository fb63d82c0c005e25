import { type ClientCore, getMinersOnline, pinnedCore } from '@hailstone/client'
import { type Address, isNodeError } from '@hailstone/protocol'
import { untilYes } from '../api-view.ts'
import type { ReportTo } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import type { MiningSnapshot } from '../store/mining-snapshot.ts'
import type { WritableStore } from '../store/mining-store.ts'
import { isListed, SEEN_EVERY_MS, type UnseenReason, withList } from './seen.ts'

/** Time after a hail in which the network learns of it, in ms. */
const FIRST_LIST_MS = 5_000

/** Asks now and then whether the network lists a miner, and keeps the answer in the store. */
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
  let askedAt = Number.NEGATIVE_INFINITY

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
    if (signal.aborted || !isLinked) return
    const atMs = client.clock.monotonicMs()
    store.update({ seen: withList(store.snapshot().seen, { list, address, sources, atMs }) })
  }

  const reading = onDemand({
    ...parameters,
    // The list tells about mining and is not needed for it: what fails is unknown, and asked again in its time.
    task: (signal) =>
      read(signal).catch((error: unknown) => {
        if (!isNodeError(error)) throw error
        unknown('failed')
      }),
  })

  return {
    /** The gateway was hailed, or is lost. */
    linked: (isNow: boolean): void => {
      if (isNow && isLinked) return
      isLinked = isNow
      askedAt = client.clock.monotonicMs() - SEEN_EVERY_MS + FIRST_LIST_MS
      unknown(isNow ? 'notAsked' : 'notConnected')
    },
    /** Asks if it is time. */
    readInTime: (): void => {
      const now = client.clock.monotonicMs()
      if (!isLinked || now - askedAt < SEEN_EVERY_MS) return
      askedAt = now
      reading.trigger()
    },
    stop: reading.stop,
  }
}

import type { Address, TokenId } from '@hailstone/mining-node'
import type { ClientPort } from './mining-ports.ts'
import { createRewardReader, type RewardRow } from './reward-row.ts'

/** Rewards of one token that were read so far. */
export type RewardHistoryState = {
  /** Newest first. */
  readonly rows: readonly RewardRow[]
  /** True if there are no older rewards. */
  readonly isComplete: boolean
  /** All rewards since this time were read. Unix milliseconds; null before the first answer. */
  readonly readBackToMs: number | null
  readonly isReading: boolean
  /** Time of the last successful reading of the newest page, Unix milliseconds. */
  readonly readAtMs: number | null
  /** Reason of the last failed reading; null if it succeeded. Rows read before stay. */
  readonly why: string | null
}

/** A reward history that is read page by page. */
export type RewardHistory = {
  readonly snapshot: () => RewardHistoryState
  readonly subscribe: (listener: () => void) => () => void
  /** Reads new rewards. */
  readonly refresh: () => Promise<void>
  /** Reads at least `count` older rewards, or all that are left. */
  readonly readMore: (count?: number) => Promise<void>
  /** Reads back to a time in Unix milliseconds. */
  readonly readBackTo: (timeMs: number) => Promise<void>
}

/** The node has read the same page right before it told a reward. */
const SHARED_MS = 3_000

const NOTHING: RewardHistoryState = {
  rows: [],
  isComplete: false,
  readBackToMs: null,
  isReading: false,
  readAtMs: null,
  why: null,
}

type Page = Awaited<ReturnType<ClientPort['getRewards']>>

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Reads the rewards of an account in one token, page by page from the newest. New records shift older ones to later
 * pages, so records seen twice are recognised by their running number.
 */
export function createRewardHistory(parameters: {
  readonly client: ClientPort
  readonly address: Address
  readonly tokenId: TokenId
  /** True for the native token, in which rewards other than for microblocks are paid. */
  readonly isNative: boolean
}): RewardHistory {
  const { client, address } = parameters
  const complete = createRewardReader(parameters)
  const listeners = new Set<() => void>()
  let state = NOTHING
  /** Running numbers of all records read, those of other tokens included. */
  let newest = -1
  let oldest = Number.POSITIVE_INFINITY
  let nextPage = 0
  let queue: Promise<void> = Promise.resolve()

  function update(change: Partial<RewardHistoryState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** Runs readings one after another. */
  function inTurn(read: () => Promise<void>): Promise<void> {
    queue = queue.then(async () => {
      update({ isReading: true })
      try {
        await read()
        update({ isReading: false, why: null })
      } catch (error) {
        update({ isReading: false, why: sentence(error) })
      }
    })
    return queue
  }

  async function readOlder(): Promise<void> {
    const page = await client.getRewards({ address, page: nextPage, maxAgeMs: SHARED_MS })
    const lines = page.records.filter(({ index }) => index < oldest)
    const rows = await complete(lines)
    nextPage++
    noteIndexes(page)
    const last = page.records.at(-1)
    update({
      rows: [...state.rows, ...rows],
      isComplete: page.isLast,
      readBackToMs: page.isLast ? 0 : last === undefined ? state.readBackToMs : last.time * 1000,
      readAtMs: state.readAtMs ?? Date.now(),
    })
  }

  function noteIndexes({ records }: Page): void {
    for (const { index } of records) {
      newest = Math.max(newest, index)
      oldest = Math.min(oldest, index)
    }
  }

  /** Reads from the newest record down to the known ones. */
  async function readNewer(): Promise<void> {
    const known = newest
    const fresh: Page['records'][number][] = []
    for (let page = 0; ; page++) {
      const { records, isLast } = await client.getRewards({ address, page, maxAgeMs: SHARED_MS })
      fresh.push(...records.filter(({ index }) => index > known && !fresh.some((one) => one.index === index)))
      if (isLast || records.some(({ index }) => index <= known)) break
    }
    const rows = await complete(fresh)
    newest = fresh.reduce((most, { index }) => Math.max(most, index), known)
    update({ rows: [...rows, ...state.rows], readAtMs: Date.now() })
  }

  const refresh = (): Promise<void> => inTurn(() => (state.readAtMs === null ? readOlder() : readNewer()))

  const readMore = (count = 10): Promise<void> =>
    inTurn(async () => {
      const wanted = state.rows.length + count
      do await readOlder()
      while (!state.isComplete && state.rows.length < wanted)
    })

  const readBackTo = (timeMs: number): Promise<void> =>
    inTurn(async () => {
      while (!state.isComplete && (state.readBackToMs ?? Number.POSITIVE_INFINITY) > timeMs) await readOlder()
    })

  return {
    snapshot: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    refresh,
    readMore,
    readBackTo,
  }
}

/**
 * Returns the units earned since a time, from the rows of the feed. Null if the history was not read back that far,
 * because a partial sum is not a total.
 */
export function totalSince(
  { rows, readBackToMs }: Pick<RewardHistoryState, 'rows' | 'readBackToMs'>,
  sinceMs: number,
): bigint | null {
  if (readBackToMs === null || readBackToMs > sinceMs) return null
  let sum = 0n
  for (const { amount, timeMs } of rows) {
    if (timeMs < sinceMs) break
    sum += amount
  }
  return sum
}

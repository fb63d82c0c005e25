import {
  bounded,
  type Entry,
  type Known,
  NOTHING_KNOWN,
  nameOf,
  trimmed,
  withNewest,
  withOlder,
} from './reward-lines.ts'
import { createRewardPages, type RewardReading } from './reward-pages.ts'
import { createLineReader, type RewardLine, type RewardReaderParameters } from './reward-row.ts'

/** Reads a reward history into what is known of it. Its functions are called one after another. */
export type HistoryReader = {
  /**
   * Reads down to what is known. Records are taken out when several answers in a row do not have them.
   *
   * @param isTold false if nobody has told that the chain took rewards back
   * @param isAnew false if an answer of the last seconds is good enough
   */
  readonly readNewest: (isTold: boolean, isAnew: boolean) => Promise<'nothing' | 'news' | 'with losses'>
  /** Reads below the rows until there are so many, and keeps them. */
  readonly readRows: (wanted: number, count: () => number) => Promise<void>
  /** Reads below all that was read until it is enough. */
  readonly readTotals: (isEnough: () => boolean) => Promise<void>
  /** Keeps no more rows than without being asked, from the next reading on. */
  readonly limitRows: () => void
}

/** Rows that are kept without being asked for. */
const ROWS_KEPT = 1_000
const DIFFER = 'The nodes behind the address show different rewards at the moment.'

/** @throws {Error} in the returned functions: what the client throws, or that its answers do not fit together */
export function createHistoryReader({
  onKnown,
  ...parameters
}: RewardReaderParameters & { readonly onKnown: (known: Known) => void }): HistoryReader {
  const pages = createRewardPages(parameters.client, parameters.address)
  const complete = createLineReader(parameters)
  let known = NOTHING_KNOWN
  let rowsLimit = ROWS_KEPT

  function learn(next: Known): void {
    known = trimmed(next, rowsLimit)
    onKnown(known)
  }

  async function entriesOf(lines: readonly RewardLine[]): Promise<readonly Entry[]> {
    const byName = new Map(known.entries.map((entry) => [nameOf(entry.line), entry]))
    const fresh = lines.filter((line) => !byName.has(nameOf(line)))
    const rows = await complete(fresh)
    for (const [at, line] of fresh.entries()) byName.set(nameOf(line), { line, row: rows[at] ?? null })
    return lines.flatMap((line) => byName.get(nameOf(line)) ?? [])
  }

  async function take({ lines, isEnd }: RewardReading): Promise<void> {
    const entries = await entriesOf(lines)
    learn(bounded(withNewest(known, entries, isEnd)))
  }

  const readNewest: HistoryReader['readNewest'] = async (isTold, isAnew) => {
    const lines = known.entries.map(({ line }) => line)
    const reading = await pages.newest({ ...known, lines }, { isTold, isAnew })
    if (reading === null) return 'nothing'
    await take(reading)
    return reading.missing === 0 ? 'news' : 'with losses'
  }

  async function readBelow(line: RewardLine | undefined | null): Promise<void> {
    const [newest] = known.entries
    if (line == null || newest === undefined) return void (await readNewest(true, false))
    const { lines, isEnd } = await pages.below(line, newest.line, known.entries.length - 1)
    if (lines.length === 0 && line.index !== known.bottom?.index) throw new Error(DIFFER)
    const entries = await entriesOf(lines)
    learn(entries.length === 0 ? { ...known, isEnd } : withOlder(known, entries, isEnd))
  }

  return {
    readNewest,
    readRows: async (wanted, count) => {
      rowsLimit = Math.max(rowsLimit, wanted)
      try {
        while (!(known.isEnd && known.older.length === 0) && count() < wanted)
          await readBelow(known.entries.at(-1)?.line)
      } finally {
        rowsLimit = Math.max(ROWS_KEPT, count())
      }
    },
    readTotals: async (isEnough) => {
      while (!known.isEnd && !isEnough()) await readBelow(known.bottom)
    },
    limitRows: () => {
      rowsLimit = ROWS_KEPT
    },
  }
}

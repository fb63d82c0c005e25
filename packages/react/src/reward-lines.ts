import type { RewardLine, RewardRow } from './reward-row.ts'

/** A record that was read; `row` is null for one of another token. */
export type Entry = { readonly line: RewardLine; readonly row: RewardRow | null }

/** Units of the rewards of one time, Unix milliseconds. */
export type TimeTotal = {
  /** Unix milliseconds of the key block. */
  readonly timeMs: number
  /** Units of the token. */
  readonly amount: bigint
}

/** What was read of a history, from the newest record down without a gap. */
export type Known = {
  /** Newest first. */
  readonly entries: readonly Entry[]
  /** Totals of what was read below the entries, newest first. */
  readonly older: readonly TimeTotal[]
  /** The oldest record that was read; null before the first one. */
  readonly bottom: RewardLine | null
  /** There is nothing below the bottom. */
  readonly isEnd: boolean
}

/** Records that were read in an earlier reading, newest first without a gap. */
export type KnownLines = {
  readonly lines: readonly RewardLine[]
  /** The record down to which the next reading goes at most; null if nothing was read. */
  readonly bottom: RewardLine | null
  /** True if the first record of the account was read. */
  readonly isEnd: boolean
}

export const NOTHING_KNOWN: Known = { entries: [], older: [], bottom: null, isEnd: false }

/** The same running number is used again after a reorganisation, for something else. */
export const nameOf = ({ index, hash, recordType, amount, time }: RewardLine): string =>
  [index, hash, recordType, amount, time].join()

/** True if rewards are numbered one by one on a page, as the protocol says. */
const isNumbered = (lines: readonly RewardLine[]): boolean =>
  lines.every(({ rewardIndex }, at) => at === 0 || lines[at - 1]?.rewardIndex === rewardIndex + 1)

/** Where the records below a line stand, seen from one page. */
export type Join =
  /** On this page. `isEnd`: there are none. */
  | { readonly kind: 'joined'; readonly lines: readonly RewardLine[]; readonly isEnd: boolean }
  /** So many pages further. */
  | { readonly kind: 'move'; readonly pages: number }
  /** Perhaps on this page: nothing on it says whether records are missing in between. `says` names what it shows. */
  | { readonly kind: 'unproved'; readonly lines: readonly RewardLine[]; readonly says: string }
  /** The page has something else in the place of the line. */
  | { readonly kind: 'parted' }

const PAGE_SIZE = 10
/** The claim that nothing is below a line. */
export const END = 'end'

/** Joins a page to the line above it: they overlap, or the numbers go on. */
export function joinPage(line: RewardLine, records: readonly RewardLine[], isLast: boolean): Join {
  const name = nameOf(line)
  const at = records.findIndex((record) => nameOf(record) === name)
  const below = records.filter(({ index }) => index < line.index)
  const [first] = below
  if (at >= 0 || (first !== undefined && first.rewardIndex === line.rewardIndex - 1)) {
    const isEnd = (below.at(-1) ?? line).rewardIndex === 0 && isNumbered(records)
    if (below.length > 0 || isEnd) return { kind: 'joined', lines: below, isEnd }
    return isLast ? { kind: 'unproved', lines: [], says: END } : { kind: 'move', pages: 1 }
  }
  if (first === undefined) {
    if (isLast) return records.length === 0 ? { kind: 'move', pages: -1 } : { kind: 'parted' }
    const above = (records.at(-1)?.rewardIndex ?? 0) - line.rewardIndex
    return { kind: 'move', pages: Math.max(1, Math.floor(above / PAGE_SIZE)) }
  }
  if (below.length < records.length) return { kind: 'parted' }
  const missing = line.rewardIndex - 1 - first.rewardIndex
  if (missing > 0 && isNumbered(records)) return { kind: 'move', pages: -Math.ceil(missing / PAGE_SIZE) }
  return { kind: 'unproved', lines: below, says: nameOf(first) }
}

/** Page on which the record below a line probably is. */
export function pageBelow(newest: RewardLine, line: RewardLine, linesBetween: number): number {
  const rank = Math.max(newest.rewardIndex - line.rewardIndex, linesBetween)
  return Math.floor((rank + 1) / PAGE_SIZE)
}

/** Difference between what a reading shows and what is known. */
export type Difference = {
  /** Known records that the reading does not show, though it goes below them. */
  readonly missing: number
  /** The reading only ends earlier, as that of a node that is a few blocks behind. */
  readonly isBehind: boolean
}

/** @param isWhole the reading goes down to the first record of all */
export function differenceOf(
  known: Pick<KnownLines, 'lines'>,
  lines: readonly RewardLine[],
  isWhole: boolean,
): Difference {
  const shown = new Set(lines.map(nameOf))
  const names = new Set(known.lines.map(nameOf))
  const lowest = isWhole ? Number.NEGATIVE_INFINITY : (lines.at(-1)?.index ?? Number.POSITIVE_INFINITY)
  const missing = known.lines.filter((line) => line.index >= lowest && !shown.has(nameOf(line)))
  const fresh = lines.filter((line) => !names.has(nameOf(line)))
  const newest = lines[0]?.index ?? -1
  const oldest = known.lines.at(-1)?.index ?? -1
  const isNew = ({ index }: RewardLine): boolean => index > oldest
  const isBehind = !fresh.some(isNew) && missing.every(({ index }) => index > newest)
  return { missing: missing.length, isBehind }
}

/** Returns the newest known record down from which a reading shows what is known, as far as both go; null if they share no such record. */
export function newestShared(known: readonly RewardLine[], lines: readonly RewardLine[]): RewardLine | null {
  const lowest = Math.max(known.at(-1)?.index ?? 0, lines.at(-1)?.index ?? 0)
  const fromLowest = (all: readonly RewardLine[]) => all.filter(({ index }) => index >= lowest).reverse()
  const [before, shown] = [fromLowest(known), fromLowest(lines)]
  const parting = before.findIndex(
    (line, at) => shown[at] === undefined || nameOf(shown[at]) !== nameOf(line),
  )
  return before[(parting < 0 ? before.length : parting) - 1] ?? null
}

/** Records in a row that are known, after which what is below them is taken to be known where the chain parted. */
const KNOWN_IN_A_ROW = PAGE_SIZE

/** True if a reading from the newest record went down far enough to be joined to what is known. */
export function isDeepEnough(known: KnownLines, lines: readonly RewardLine[]): boolean {
  const { bottom } = known
  const last = lines.at(-1)
  if (bottom === null || last === undefined || last.index <= bottom.index) return true
  const names = new Set(known.lines.map(nameOf))
  if (!lines.some((line) => names.has(nameOf(line)))) return false
  if (differenceOf(known, lines, false).missing === 0) {
    const parting = lines.findIndex((line) => names.has(nameOf(line)))
    if (lines.slice(parting).every((line) => names.has(nameOf(line)))) return true
  }
  const tail = lines.slice(-KNOWN_IN_A_ROW)
  return tail.length === KNOWN_IN_A_ROW && tail.every((line) => names.has(nameOf(line)))
}

/** Puts a reading from the newest record in the place of what was known of that part. */
export function withNewest(known: Known, read: readonly Entry[], isWhole: boolean): Known {
  const last = read.at(-1)?.line
  const lowest = isWhole ? Number.NEGATIVE_INFINITY : (last?.index ?? Number.POSITIVE_INFINITY)
  const kept = known.entries.filter(({ line }) => line.index < lowest)
  const entries = [...read, ...kept]
  if (kept.length > 0) return { ...known, entries }
  if (last === undefined || known.entries.at(-1)?.line.index !== last.index)
    return { entries, older: [], bottom: last ?? null, isEnd: isWhole }
  const isBottom = known.bottom?.index === last.index
  return { ...known, entries, bottom: isBottom ? last : known.bottom, isEnd: known.isEnd || isWhole }
}

const rowsOf = (entries: readonly Entry[]): readonly RewardRow[] =>
  entries.flatMap(({ row }) => (row === null ? [] : [row]))

/** Adds rows, newest first, below totals. */
function addBelow(totals: readonly TimeTotal[], rows: readonly RewardRow[]): readonly TimeTotal[] {
  const sums = [...totals]
  for (const { timeMs, amount } of rows) {
    const last = sums.at(-1)
    if (last?.timeMs === timeMs) sums[sums.length - 1] = { timeMs, amount: last.amount + amount }
    else sums.push({ timeMs, amount })
  }
  return sums
}

/** Takes rows, newest first, from the top of totals that have them. */
function takeAbove(totals: readonly TimeTotal[], rows: readonly RewardRow[]): readonly TimeTotal[] {
  let from = 0
  let first = totals[0]
  for (const { timeMs, amount } of rows) {
    if (first?.timeMs !== timeMs) continue
    first = { timeMs, amount: first.amount - amount }
    if (first.amount === 0n) first = totals[++from]
  }
  return first === undefined ? [] : [first, ...totals.slice(from + 1)]
}

/** Adds records that follow the bottom, or that follow the entries and are in the totals below them. */
export function withOlder(known: Known, read: readonly Entry[], isEnd: boolean): Known {
  const { entries, older } = known
  const bottom = read.at(-1)?.line ?? known.bottom
  const isBelowBottom = known.bottom === null || (read[0]?.line.index ?? -1) < known.bottom.index
  if (!isBelowBottom) {
    const isCounted = ({ line }: Entry): boolean => line.index >= (known.bottom?.index ?? 0)
    const counted = read.filter(isCounted)
    const next = {
      ...known,
      entries: [...entries, ...counted],
      older: takeAbove(older, rowsOf(counted)),
      isEnd: known.isEnd || (isEnd && bottom?.index === known.bottom?.index),
    }
    return counted.length === read.length ? next : withOlder(next, read.slice(counted.length), isEnd)
  }
  const isAtEntries = entries.at(-1)?.line.index === known.bottom?.index
  if (isAtEntries) return { entries: [...entries, ...read], older, bottom, isEnd }
  return { entries, older: addBelow(older, rowsOf(read)), bottom, isEnd }
}

/** Records of other tokens that are kept for each row. */
const LINES_PER_ROW = 10
/** Times of which totals are kept. A reward in every block makes so many in two weeks. */
const TOTALS_KEPT = 100_000

/** Keeps the newest rows, and of the others their totals. */
export function trimmed(known: Known, limit: number): Known {
  const { entries } = known
  let rows = 0
  const found = entries.findIndex(({ row }) => row !== null && ++rows > limit)
  const cut = Math.min(found < 0 ? entries.length : found, limit * LINES_PER_ROW)
  if (cut >= entries.length) return known
  const [kept, dropped] = [entries.slice(0, cut), entries.slice(cut)]
  const totals = addBelow([], rowsOf(dropped))
  const [first, ...rest] = known.older
  const last = totals.at(-1)
  const isShared = first !== undefined && last?.timeMs === first.timeMs
  const older = isShared
    ? [...totals.slice(0, -1), { ...first, amount: first.amount + last.amount }, ...rest]
    : [...totals, ...known.older]
  return { ...known, entries: kept, older }
}

/** Forgets the totals when there are too many of them; they can be read again. */
export function bounded(known: Known): Known {
  if (known.older.length <= TOTALS_KEPT) return known
  return { ...known, older: [], bottom: known.entries.at(-1)?.line ?? null, isEnd: false }
}

/** The rows of what is known; the same ones if nothing has changed. */
export function rowsKept(before: readonly RewardRow[], { entries }: Known): readonly RewardRow[] {
  const rows = rowsOf(entries)
  return rows.length === before.length && rows.every((row, at) => row === before[at]) ? before : rows
}

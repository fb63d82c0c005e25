import { PAGE_SIZE, type ReadPage } from './history-pages.ts'
import { BEGINNING, isBelow, nameOf, type RewardCursor, type RewardLine } from './reward-cursor.ts'

/** Comparison of the lines that were handed out with the history as it is. */
export type Comparison = {
  /** The cursor without the lines that are missing. */
  readonly rest: RewardCursor
  /** Lines that are missing, oldest first. */
  readonly lost: RewardCursor['seen']
  /** An answer showed another line in the place of one of them. */
  readonly isReplaced: boolean
  /** The answers contradict each other: a line and another one in its place, or pages that repeat themselves. */
  readonly isDisputed: boolean
}

/** Answers without a line before it counts as missing. */
const ANSWERS = 8
/** Pages that may bring nothing new. */
const IDLE_PAGES = 8

/**
 * Compares the lines that were handed out with the history. After a fork one line in common proves nothing of those below
 * it, so all are looked for. A line is missing if none of several answers shows it: one that shows it is enough.
 *
 * @param parameters.page where the newest of them should stand
 * @param parameters.shown names of lines that were shown; kept by the caller, so that a comparison that failed goes on
 */
export async function compareSeen(
  read: ReadPage,
  cursor: RewardCursor,
  { page, shown }: { readonly page: number; readonly shown: Set<string> },
): Promise<Comparison> {
  const { seen, floor } = cursor
  const replaced = new Set<string>()
  let hasFloor = false
  const isMissing = (line: RewardLine): boolean => !shown.has(nameOf(line))
  const firstMissing = (): number => seen.findIndex(isMissing)
  for (let answers = 0; answers < ANSWERS && firstMissing() >= 0; answers++) {
    const lowest = seen[firstMissing()]?.index ?? floor.index
    // Those that are newer and were shown fill the pages before.
    const newer = seen.length - 1 - seen.findLastIndex(isMissing)
    let reached = Number.POSITIVE_INFINITY
    let idle = 0
    for (let number = Math.max(0, page + Math.floor(newer / PAGE_SIZE) - answers); ; number++) {
      const { lines, isLast } = await read(number)
      hasFloor ||= lines.some((line) => isBelow(floor, line))
      for (const line of lines) shown.add(nameOf(line))
      for (const line of seen) if (isReplacedIn(lines, line)) replaced.add(nameOf(line))
      const last = lines.at(-1)?.index ?? 0
      if (isLast || last < lowest) break
      // New lines push those that were read to later pages.
      if (last >= reached && ++idle > IDLE_PAGES)
        return { rest: cursor, lost: [], isReplaced: false, isDisputed: true }
      reached = Math.min(reached, last)
    }
  }
  const parting = firstMissing()
  const kept = parting < 0 ? seen : seen.slice(0, parting)
  return {
    // A history that began anew uses the numbers again.
    rest: {
      ...cursor,
      seen: kept,
      floor: kept.length > 0 || hasFloor || seen.length === 0 ? floor : BEGINNING,
    },
    lost: seen.slice(kept.length),
    isReplaced: seen.slice(kept.length).some((line) => replaced.has(nameOf(line))),
    isDisputed: kept.some((line) => replaced.has(nameOf(line))),
  }
}

/** True if the lines of one answer go past the number of a line that is not among them. */
function isReplacedIn(lines: readonly RewardLine[], line: RewardLine): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) return false
  const isWithin = first.index >= line.index && last.index <= line.index
  return isWithin && !lines.some((other) => nameOf(other) === nameOf(line))
}

import { PAGE_SIZE, type Page, type ReadPage } from './history-pages.ts'
import { BEGINNING, isBelow, nameOf, type RewardCursor, type RewardLine } from './reward-cursor.ts'

/** Comparison of the lines that were handed out with the history as it is. */
export type Comparison = {
  /** The cursor without the lines that are missing. */
  readonly rest: RewardCursor
  /** Lines that are missing, oldest first. */
  readonly lost: RewardCursor['seen']
  /**
   * `standing`: every line was shown. Otherwise the proof that the oldest missing line is gone: another one stands in its
   * place, the history ends before it, or the history is empty. `none`: the answers do not say, or contradict each other.
   */
  readonly proof: 'standing' | 'replaced' | 'lacking' | 'empty' | 'none'
}

/**
 * Counts of a comparison: which of the delivered lines, named by `nameOf`, answers have shown, and which they lacked. Kept
 * when a request fails, so that the next comparison does not begin at zero.
 */
export type Sightings = {
  readonly shown: Set<string>
  /** Answers without the line where it should stand. */
  readonly denials: Map<string, number>
  /** Lines in whose place another one was shown. */
  readonly replaced: Set<string>
  /** A line below all of them was shown. */
  hasFloor: boolean
  /** The page after the last one that ended above a line, and the name of that line. */
  below: { readonly name: string; readonly page: number } | null
}

export const noSightings = (): Sightings => ({
  shown: new Set(),
  denials: new Map(),
  replaced: new Set(),
  hasFloor: false,
  below: null,
})

/** Answers that deny a line before it counts as missing. */
const ANSWERS = 8

/** Rises with each line that is shown for the first time, and with each denial that is still needed. */
export const countOf = ({ shown, denials }: Sightings): number =>
  [...denials.values()].reduce((sum, answers) => sum + Math.min(ANSWERS, answers), shown.size)

/** Readings in which a history that is read says nothing about a line, such as an empty page of a node that is starting. */
const READINGS = 3 * ANSWERS
/** How often a reading goes on from the last page that ended above a line; all of a comparison do so `READINGS` times. */
const TRIES_BELOW = 4
/** Pages of one reading that may bring nothing new. */
const IDLE_PAGES = 8

/**
 * Compares the lines that were handed out with the history. After a fork one line in common proves nothing of those below
 * it, so all are looked for. A line is missing if several answers deny it and none shows it.
 *
 * @param parameters.page where the newest of them should stand
 * @param parameters.sightings those of comparisons that failed; those of this one are added
 */
export async function compareSeen(
  read: ReadPage,
  cursor: RewardCursor,
  { page, sightings }: { readonly page: number; readonly sightings: Sightings },
): Promise<Comparison> {
  const { seen, floor } = cursor
  const { shown, denials, replaced } = sightings
  let empty = 0
  let tries = 0
  let before: Page | null = null
  const isMissing = (line: RewardLine): boolean => !shown.has(nameOf(line))
  const oldestMissing = (): RewardLine | undefined => seen.find(isMissing)
  const isDenied = (line: RewardLine): boolean => (denials.get(nameOf(line)) ?? 0) >= ANSWERS
  /** One answer with lines contradicts all those without. */
  const isEmpty = (): boolean => empty >= ANSWERS && shown.size === 0

  function take(page: Page): void {
    const { number, lines, isLast } = page
    const above = before?.number === number - 1 ? before.lines : []
    before = page
    const lowest = oldestMissing()
    if (lowest && isAboveAll(lines, lowest)) sightings.below = { name: nameOf(lowest), page: number + 1 }
    if (number === 0 && lines.length === 0) empty++
    sightings.hasFloor ||= lines.some((line) => isBelow(floor, line))
    for (const line of lines) shown.add(nameOf(line))
    for (const line of seen) {
      const name = nameOf(line)
      const isReplaced = isReplacedIn(lines, line) || (isLast && isAboveAll(lines, line))
      if (isReplaced) replaced.add(name)
      const isLacking = number === 0 && lines[0] !== undefined && lines[0].index < line.index
      if (isReplaced || isLacking || isBetween(above, lines, line))
        denials.set(name, (denials.get(name) ?? 0) + 1)
    }
  }

  /**
   * Goes on from the last page that ended above a line, also where an earlier comparison failed. One answer of a node that is
   * behind denies a line of a later page; to show it takes one for each page before it.
   */
  async function goOnBelow(line: RewardLine): Promise<void> {
    for (const end = Math.min(tries + TRIES_BELOW, READINGS); tries < end && isMissing(line); tries++) {
      if (sightings.below?.name !== nameOf(line)) return
      before = null
      await readDownTo(read, sightings.below.page, line.index, take)
    }
  }

  for (let readings = 0; readings < READINGS; readings++) {
    const lowest = oldestMissing()
    if (lowest === undefined || isDenied(lowest) || isEmpty()) break
    await goOnBelow(lowest)
    if (shown.has(nameOf(lowest))) continue
    // Those that are newer and were shown fill the pages before.
    const newer = seen.length - 1 - seen.findLastIndex(isMissing)
    await readDownTo(read, Math.max(0, page + Math.floor(newer / PAGE_SIZE) - readings), lowest.index, take)
  }
  const parting = oldestMissing()
  const kept = parting === undefined ? seen : seen.slice(0, seen.indexOf(parting))
  const isDisputed = kept.some((line) => replaced.has(nameOf(line)))
  return {
    // A history that began anew uses the numbers again.
    rest: {
      ...cursor,
      seen: kept,
      floor: kept.length > 0 || sightings.hasFloor || seen.length === 0 ? floor : BEGINNING,
    },
    lost: seen.slice(kept.length),
    proof: isDisputed ? 'none' : parting === undefined ? 'standing' : proofOf(parting),
  }

  function proofOf(line: RewardLine): Comparison['proof'] {
    if (isDenied(line)) return replaced.has(nameOf(line)) ? 'replaced' : 'lacking'
    return isEmpty() ? 'empty' : 'none'
  }
}

/** Reads pages from one down to that with a number, or until they do not go on. */
async function readDownTo(
  read: ReadPage,
  first: number,
  index: number,
  take: (page: Page) => void,
): Promise<void> {
  let reached = Number.POSITIVE_INFINITY
  let idle = 0
  for (let number = first; idle <= IDLE_PAGES; number++) {
    const page = await read(number)
    take(page)
    const last = page.lines.at(-1)?.index ?? 0
    if (page.isLast || last < index) return
    // New lines push those that were read to later pages.
    if (last >= reached) idle++
    reached = Math.min(reached, last)
  }
}

/** True if all lines of the oldest page are newer than one. */
const isAboveAll = (lines: readonly RewardLine[], { index }: RewardLine): boolean =>
  (lines.at(-1)?.index ?? -1) > index

/**
 * True if a page ends above a line, and the next one begins below it. Two nodes may have answered: it proves less. An empty
 * one may be of a node that is starting.
 */
const isBetween = (above: readonly RewardLine[], [first]: readonly RewardLine[], line: RewardLine): boolean =>
  first !== undefined && isAboveAll(above, line) && first.index < line.index

/** True if the lines of one answer go past the number of a line that is not among them. */
function isReplacedIn(lines: readonly RewardLine[], line: RewardLine): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) return false
  const isWithin = first.index >= line.index && last.index <= line.index
  return isWithin && !lines.some((other) => nameOf(other) === nameOf(line))
}

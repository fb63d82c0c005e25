import { indexOf, isBelow, isSameLine, nameOf, type RewardCursor, type RewardLine } from './reward-cursor.ts'

/** A page of a history as one answer showed it: at most ten lines, newest first. */
export type Page = {
  /** From 0, the newest. */
  readonly number: number
  readonly lines: readonly RewardLine[]
  /** No page follows. */
  readonly isLast: boolean
}

export type ReadPage = (number: number) => Promise<Page>

/** Where the newest line that was handed out stands. Lines that come meanwhile move it to later places. */
export type Standing = {
  readonly page: number
  /** It was the first line of the page, so that the next line is on the page before. */
  readonly isFirst: boolean
}

/** The newest page, which may have any number of new lines. */
export const NEWEST: Standing = { page: 0, isFirst: false }

/**
 * Lines that follow the cursor without a gap, newest first, and where the newest of them stands. `lacking`: the history
 * ends before the line to go on from. `gone`: something else stands in its place.
 */
export type Step =
  | { readonly newer: readonly RewardLine[]; readonly standing: Standing }
  | { readonly fault: 'lacking' | 'gone'; readonly page: number }

/**
 * Pairs of neighbouring lines that pages have shown, whichever node answered. Kept when a request fails, so that the next
 * reading continues from them.
 */
export type Neighbours = {
  /** The next newer line by the name of a line, and the page on which an answer showed both. */
  readonly above: Map<string, { readonly line: RewardLine; readonly page: number }>
  /** Two lines on two pages, and how many answers agreed that they are neighbours. */
  pair: string
  answers: number
}

export const noNeighbours = (): Neighbours => ({ above: new Map(), pair: '', answers: 0 })

/** Rises with each answer that need not be got again. */
export const knownOf = ({ above, answers }: Neighbours): number => above.size + answers

export const PAGE_SIZE = 10
/** Answers about two pages that agree before the pages count as neighbours. */
const AGREEING = 12
/** Lines whose newer neighbour is remembered. */
const NEIGHBOURS_KEPT = 1_000
/** Pages of one search; halving needs fewer for any history. */
const SEARCH_LIMIT = 64

/** Position of the line to go on from in a list that is newest first; -1 if it is not there. */
const positionOf = (cursor: RewardCursor, lines: readonly RewardLine[]): number => {
  const newest = cursor.seen.at(-1)
  return lines.findIndex((line) => (newest ? isSameLine(line, newest) : isBelow(cursor.floor, line)))
}

/** A step to the lines that are known to follow the cursor, whichever answers showed them; null if none is. */
function knownStep({ seen }: RewardCursor, { above }: Neighbours): Step | null {
  const newer: RewardLine[] = []
  let page = -1
  for (let line = seen.at(-1); line !== undefined; ) {
    const next = above.get(nameOf(line))
    if (next === undefined || next.line.index <= line.index) break
    newer.unshift(next.line)
    ;({ line, page } = next)
  }
  // The newest page may have newer lines by now.
  return page < 0 ? null : { newer, standing: { page: Math.max(1, page), isFirst: false } }
}

/**
 * Reads on from a cursor. An address may lead to several nodes of which some are behind, so two answers may be of
 * histories that are shifted against each other. Lines follow each other where one answer shows both, where their numbers
 * do, or where answers about both pages agree again and again.
 *
 * @param standing where the line to go on from stood before
 * @param neighbours those of readings that failed; those of this one are added
 */
export async function readOn(
  readPage: ReadPage,
  cursor: RewardCursor,
  standing: Standing,
  neighbours: Neighbours = noNeighbours(),
): Promise<Step> {
  const { above } = neighbours
  const { page, isFirst } = standing
  const read: ReadPage = async (number) => {
    const shown = await readPage(number)
    if (above.size > NEIGHBOURS_KEPT) above.clear()
    for (const [at, line] of shown.lines.entries())
      if (at > 0) above.set(nameOf(line), { line: shown.lines[at - 1] ?? line, page: number })
    return shown
  }
  const known = knownStep(cursor, neighbours)
  if (known !== null) return known
  if (!isFirst || page === 0) return search(read, cursor, page, neighbours)
  const before = await read(page - 1)
  const at = positionOf(cursor, before.lines)
  const newer = at < 0 ? before.lines : before.lines.slice(0, at)
  const isNext = at >= 0 || (await areNeighbours(read, cursor, before, neighbours))
  return isNext ? stepTo(page - 1, newer) : search(read, cursor, page, neighbours)
}

const stepTo = (page: number, newer: readonly RewardLine[]): Step => ({
  newer,
  standing: { page, isFirst: true },
})

/** True if the line to go on from follows the last line of a page. */
async function areNeighbours(
  read: ReadPage,
  cursor: RewardCursor,
  { number, lines }: Page,
  neighbours: Neighbours,
): Promise<boolean> {
  const last = lines.at(-1)
  if (last === undefined) return false
  if (last.index === indexOf(cursor) + 1) return true
  const pair = `${nameOf(last)} ${indexOf(cursor)} ${nameOf(cursor.seen.at(-1))}`
  if (neighbours.pair !== pair) Object.assign(neighbours, { pair, answers: 0 })
  for (; neighbours.answers < AGREEING; neighbours.answers++) {
    const isAfter = neighbours.answers % 2 === 0
    const again = (await read(isAfter ? number + 1 : number)).lines
    const at = positionOf(cursor, again)
    const isKnown = knownStep(cursor, neighbours) !== null
    const isEnd = again.length === 0 && cursor.seen.length === 0
    const agrees = isAfter ? at === 0 || isEnd : nameOf(again.at(-1)) === nameOf(last)
    if (isKnown || !agrees) {
      neighbours.answers = 0
      return false
    }
  }
  return true
}

/** Finds the page with the line to go on from, by its number. */
async function search(
  read: ReadPage,
  cursor: RewardCursor,
  from: number,
  neighbours: Neighbours,
): Promise<Step> {
  const target = indexOf(cursor)
  /** The line is on a page above `low` and below `high`. */
  let low = -1
  let high = Number.POSITIVE_INFINITY
  let page = from
  for (let left = SEARCH_LIMIT; left > 0; left--) {
    const known = knownStep(cursor, neighbours)
    if (known !== null) return known
    const { lines, isLast } = await read(page)
    const at = positionOf(cursor, lines)
    if (page === 0 && isBeyond(cursor, lines)) return { fault: 'lacking', page }
    if (at >= 0) return stepTo(page, lines.slice(0, at))
    const last = lines.at(-1)
    const newer = cursor.seen.length === 0 ? lines.length : lines.filter(({ index }) => index > target).length
    if (newer < lines.length && newer > 0) return { fault: 'gone', page }
    if (last === undefined || newer === 0) {
      if (page === 0) return last === undefined && target < 0 ? stepTo(0, []) : { fault: 'lacking', page }
      high = page
    } else {
      if (isLast) return cursor.seen.length === 0 ? stepTo(page, lines) : { fault: 'gone', page }
      low = page
    }
    if (high <= low + 1) {
      // It ends with a whole page.
      if (cursor.seen.length === 0 && last === undefined) return stepTo(high, [])
      if (low >= 0 && left < SEARCH_LIMIT / 2) break
      // The pages moved between two answers.
      low = -1
      high = Number.POSITIVE_INFINITY
      continue
    }
    const distance = Math.floor(((last?.index ?? target) - target) / PAGE_SIZE)
    page = high === Number.POSITIVE_INFINITY ? page + Math.max(1, distance) : (low + high) >> 1
  }
  return { fault: 'gone', page }
}

/** True for a number to go on from that the newest line has not reached: it is of another network, or the chain was reset. */
const isBeyond = ({ at, seen, floor }: RewardCursor, [first]: readonly RewardLine[]): boolean =>
  at === null && seen.length === 0 && (first?.index ?? -1) < floor.index

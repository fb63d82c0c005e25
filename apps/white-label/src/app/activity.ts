import { joinedPage } from '../../../../packages/client/src/actions/history.ts'
import { repeatedNo } from './repeated-no.ts'

type Numbered = { readonly index: number }

/** Records of a history from the newest on, and whether none is older. */
export type Records<T> = { readonly records: readonly T[]; readonly isLast: boolean }

type ReadPage<T> = (page: number) => Promise<Records<T>>

const PAGE_SIZE = 10
/** Pages that are read in search of older records; new ones push them down. */
const MAX_PAGES = 4

const lowestOf = (records: readonly Numbered[]): number => Math.min(...records.map(({ index }) => index))
const highestOf = (records: readonly Numbered[]): number => Math.max(...records.map(({ index }) => index))

/** Reads the newest page. Before anything is known, that it is empty counts once it was repeated; then it removes nothing. */
export const newestPage = <T>(read: ReadPage<T>, known: Records<T> | null): Promise<Records<T>> =>
  repeatedNo(
    () => read(0),
    ({ records }) => known === null && records.length === 0,
  )

/**
 * Puts the newest page into what is known. Records above it stay: the node may only be behind. An empty page removes
 * nothing. A page that begins anew above all that is known takes its place: records may be missing between the two.
 */
export function withNewest<T extends Numbered>(known: Records<T>, page: Records<T>): Records<T> {
  if (page.records.length === 0) return known.records.length === 0 ? page : known
  const [highest, lowest] = [highestOf(page.records), lowestOf(page.records)]
  if (highestOf(known.records) < lowest) return page
  const above = known.records.filter(({ index }) => index > highest)
  const below = known.records.filter(({ index }) => index < lowest)
  const isAsDeep = lowestOf(known.records) <= lowest
  return {
    records: [...above, ...page.records, ...below],
    isLast: page.isLast || (isAsDeep && known.isLast),
  }
}

/** Reads the records that follow those that are known, whichever nodes answer. */
export async function olderPage<T extends Numbered>(
  read: ReadPage<T>,
  { records: known }: Records<T>,
): Promise<Records<T>> {
  const lowest = lowestOf(known)
  const first = Math.floor(known.length / PAGE_SIZE)
  for (let page = first; page < first + MAX_PAGES; page++) {
    const { records, isLast } = await joinedPage(read, page, lowest)
    const older = records.filter(({ index }) => index < lowest)
    if (older.length > 0 || isLast) return { records: older, isLast }
  }
  return { records: [], isLast: false }
}

/** Adds records that were read below `known`, unless what is known has begun anew meanwhile. */
export const withOlder = <T extends Numbered>(
  now: Records<T>,
  known: Records<T>,
  { records, isLast }: Records<T>,
): Records<T> =>
  lowestOf(now.records) === lowestOf(known.records) ? { records: [...now.records, ...records], isLast } : now

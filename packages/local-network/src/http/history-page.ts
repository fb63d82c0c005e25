/** Records on one page of a history. */
export const PAGE_SIZE = 10

export type HistoryPage = {
  /** Running numbers of the records on the page; `to` is below `from` when there are none. */
  readonly from: number
  readonly to: number
}

/**
 * Which records of a list a page holds, counted from the newest back (PROTOCOL 3.5.11).
 *
 * @param parameters.total records in the list
 * @param parameters.page from 0, the newest
 */
export function historyPage(parameters: {
  readonly total: number
  readonly page: number
  readonly size?: number | undefined
}): HistoryPage {
  const { total, page, size = PAGE_SIZE } = parameters
  const to = total - 1 - size * page
  return { from: Math.max(0, to - size + 1), to }
}

/** Counts pages like the network: from the newest number instead of the count, so one too few after each ten. */
export const historyPageCount = (total: number, size: number = PAGE_SIZE): number =>
  Math.ceil(Math.max(0, total - 1) / size)

import { type Address, type Amount, type Endpoint, type Parameter, parseAddress } from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Records on a full page; a shorter one is the last. */
const PAGE_SIZE = 10

/** A page of an account's history, newest record first. */
export type HistoryPageInfo<T> = {
  readonly address: Address
  /** From 0, the newest. */
  readonly page: number
  /** The native balance, whatever the records are about. */
  readonly balance: Amount
  readonly records: readonly T[]
  /** True if no page follows. The network's own page count is sometimes one too small. */
  readonly isLast: boolean
}

/** Account and page of a list, for {@link getTransactions} and {@link getRewards}. */
export type GetHistoryParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
  /** From 0, the newest. @default 0 */
  readonly page?: number | undefined
  /** Takes a page that this client read at most so many ms ago. @default 0 */
  readonly maxAgeMs?: number | undefined
}

/** An endpoint of the history family. */
export type HistoryEndpoint<T> = Endpoint<
  { readonly address: Parameter<'address', false>; readonly page: Parameter<'page', true> },
  {
    readonly balance: Amount
    readonly id: string
    readonly records?: readonly T[] | undefined
    readonly pageCount?: number | undefined
  }
>

const isKept = (): boolean => true

/** Reads one page of a history. An account without records has one empty page. */
export async function getHistoryPage<T>(
  client: ClientCore,
  endpoint: HistoryEndpoint<T>,
  { address, page = 0, maxAgeMs, signal }: GetHistoryParameters,
): Promise<HistoryPageInfo<T>> {
  const answer = await callEndpoint(client, endpoint, { address, page }, { signal, maxAgeMs, isKept })
  if (!isSameName(answer.id, address))
    throw answerFault(endpoint.path, 'it is the history of another account')
  const records = answer.records ?? []
  if (records.length > PAGE_SIZE)
    throw answerFault(endpoint.path, `a page has more than ${PAGE_SIZE} records`)
  return {
    address: parseAddress(address),
    page,
    balance: answer.balance,
    records,
    isLast: records.length < PAGE_SIZE,
  }
}

/** Records of one page, newest first, and whether no page follows. */
type Page<T> = Pick<HistoryPageInfo<T>, 'records' | 'isLast'>

/** Of rewards, the number among the rewards has no gaps; that of all records has them in every list of one kind. */
type Numbered = { readonly index: number; readonly rewardIndex?: number | undefined }

const numberOf = ({ index, rewardIndex = index }: Numbered): number => rewardIndex
const top = ([first]: readonly Numbered[]): number => (first === undefined ? -1 : numberOf(first))

/** Pages that are read again where two do not join, counted back from the later one. */
const AGAIN = [0, 1, 0, 0, 1, 1]

/**
 * Reads a page that follows those before it. One address may lead to several nodes of which some are behind, and a fork takes
 * records away: then the page begins too low, and records between the two would be passed over. Where their numbers leave
 * room for any, both pages are read again, several times, and what their answers show without a gap is returned.
 *
 * @param lowest number of the last record before the page; infinite for the first page
 * @returns records of the page and those between, newest first
 */
export async function joinedPage<T extends Numbered>(
  read: (page: number) => Promise<Page<T>>,
  page: number,
  lowest: number,
): Promise<Page<T>> {
  const first = await read(page)
  if (page === 0 || top(first.records) >= lowest - 1) return first
  const again = await Promise.all(AGAIN.map((back) => read(page - back)))
  const answers = [first, ...again]
  const { records, isWhole } = joinedRecords(answers, lowest)
  return { records, isLast: isWhole && answers.every(({ isLast }, at) => isLast || AGAIN[at - 1] === 1) }
}

/**
 * Returns the records below a number that answers show, newest first, down to where no further answer joins: what nodes that
 * are far apart have between their answers stands on the next pages.
 */
function joinedRecords<T extends Numbered>(
  answers: readonly Page<T>[],
  lowest: number,
): { readonly records: readonly T[]; readonly isWhole: boolean } {
  const spans = answers
    .map(({ records }) => records.filter((record) => numberOf(record) < lowest))
    .filter((span) => span.length > 0)
    .sort((one, other) => top(other) - top(one))
  let bottom = top(spans[0] ?? [])
  const apart = spans.findIndex((span) => {
    if (top(span) < bottom - 1) return true
    bottom = Math.min(bottom, ...span.map(numberOf))
    return false
  })
  const joined = (apart < 0 ? spans : spans.slice(0, apart)).flat()
  const records = new Map(joined.map((record) => [numberOf(record), record]))
  return {
    records: [...records.values()].sort((one, other) => numberOf(other) - numberOf(one)),
    isWhole: apart < 0,
  }
}

/** Account and order of a list, for {@link transactionsOf} and {@link rewardsOf}. */
export type HistoryOfParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
}

/** Pages in a row that may bring nothing new; new records push old ones down while we read. */
const MAX_IDLE_PAGES = 3

/**
 * All records of a history, newest first, each once. Records that arrive meanwhile shift the pages, so a
 * record seen twice is dropped by its running number. Where numbers leave room between two pages, these are read six
 * times more and joined, as `joinedPage` does. A server that repeats itself for ever is left.
 */
export async function* historyOf<T extends Numbered>(
  client: ClientCore,
  endpoint: HistoryEndpoint<T>,
  { address, signal }: HistoryOfParameters,
): AsyncGenerator<T, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY
  let idlePages = 0
  const read = (page: number) => getHistoryPage(client, endpoint, { address, page, signal })
  for (let page = 0; ; page++) {
    const { records, isLast } = await joinedPage(read, page, lowest)
    const before = lowest
    for (const record of records) {
      const number = numberOf(record)
      if (number >= lowest) continue
      lowest = number
      yield record
    }
    if (isLast) return
    idlePages = lowest < before ? 0 : idlePages + 1
    if (idlePages >= MAX_IDLE_PAGES) throw answerFault(endpoint.path, 'its pages repeat themselves')
  }
}

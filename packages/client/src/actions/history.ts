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

export type HistoryOfParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
}

/** Pages in a row that may bring nothing new; new records push old ones down while we read. */
const MAX_IDLE_PAGES = 3

/**
 * All records of a history, newest first, each once. Records that arrive meanwhile shift the pages, so a
 * record seen twice is dropped by its running number; a server that repeats itself for ever is left.
 */
export async function* historyOf<T extends { readonly index: number }>(
  client: ClientCore,
  endpoint: HistoryEndpoint<T>,
  { address, signal }: HistoryOfParameters,
): AsyncGenerator<T, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY
  let idlePages = 0
  for (let page = 0; ; page++) {
    const { records, isLast } = await getHistoryPage(client, endpoint, { address, page, signal })
    const before = lowest
    for (const record of records) {
      if (record.index >= lowest) continue
      lowest = record.index
      yield record
    }
    if (isLast) return
    idlePages = lowest < before ? 0 : idlePages + 1
    if (idlePages >= MAX_IDLE_PAGES) throw answerFault(endpoint.path, 'its pages repeat themselves')
  }
}

import { amount, count, list, optional, text } from '../schema/leaves.ts'
import { record, type Schema, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe, required } from './define-endpoint.ts'

/** Ten records, newest first. `records` is absent without a page, and for accounts without records. */
// @__NO_SIDE_EFFECTS__
const page = <T>(entry: Schema<T>) =>
  record({
    /** Native balance, whatever the kind of the records. */
    balance: amount,
    records: optional(list(entry)),
    /** One too small if the number of records is 1 modulo 10. */
    pageCount: ['page_count', optional(count)],
    id: text,
  })

// @__NO_SIDE_EFFECTS__
export const history = <T, const P extends `/${string}`>(path: P, entry: Schema<T>) =>
  defineEndpoint({
    path,
    parameters: { address: required('address', 'id'), page: maybe('page', 'page') },
    answer: page(entry),
  })

/** Number of the record among all of its account, from 0. */
export const index = ['i', count] as const

/** One page of a history. */
export type HistoryPage<T> = {
  readonly balance: Value<typeof amount>
  readonly id: string
  readonly records?: readonly T[] | undefined
  readonly pageCount?: number | undefined
}

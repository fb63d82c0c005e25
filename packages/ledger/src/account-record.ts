import type { Hash } from '@hailstone/protocol'

/**
 * Kinds of a record in an account's history, by their wire names (PROTOCOL 6.7): transfers `iin` and `iout`,
 * mining `im`, referral `iref`, key block `ik`, stake pool `istat`, its owner `iv`, a claim `ic`, fee shares
 * `ifk` and `ifg`, rounding remainder `idust`.
 */
export type RecordType =
  | 'iin'
  | 'iout'
  | 'im'
  | 'iref'
  | 'ik'
  | 'istat'
  | 'iv'
  | 'ic'
  | 'ifk'
  | 'ifg'
  | 'idust'

/** A line in the history of an account before it gets its running numbers. */
export type AccountRecord = {
  readonly type: RecordType
  /** An address, or the id of a stake pool for `istat`. */
  readonly account: string
  /** The block or transaction it comes from. */
  readonly hash: Hash
  /** Units; of a transfer the gross amount. */
  readonly value: bigint
}

/** The lists in which an account's records are numbered, each from zero (PROTOCOL 3.5.11). */
export type RecordList = 'all' | 'rewards' | 'transactions' | RecordType

/** A line in the history of an account with its running numbers, each counted from 1. */
export type NumberedRecord = AccountRecord & {
  /** Number among all records of the account. */
  readonly number: number
  /** Number among its rewards, or among its transactions: each record is one of the two. */
  readonly kindNumber: number
  /** Number among its records of the same type. */
  readonly typeNumber: number
}

/** True for the records of transfers; all others are rewards. */
export const isTransferRecord = (type: RecordType): boolean => type === 'iin' || type === 'iout'

/**
 * Numbers new records, given in their order, after those an account has already.
 *
 * @param countOf how many records of the list the account has in storage
 */
export function numberRecords(
  records: Iterable<AccountRecord>,
  countOf: (account: string, list: RecordList) => number,
): readonly NumberedRecord[] {
  const counts = new Map<string, Map<RecordList, number>>()
  const next = (account: string, list: RecordList): number => {
    let lists = counts.get(account)
    if (lists === undefined) {
      lists = new Map()
      counts.set(account, lists)
    }
    const number = lists.get(list) ?? countOf(account, list)
    lists.set(list, number + 1)
    return number
  }
  return Array.from(records, (record) => ({
    ...record,
    number: next(record.account, 'all'),
    kindNumber: next(record.account, isTransferRecord(record.type) ? 'transactions' : 'rewards'),
    typeNumber: next(record.account, record.type),
  }))
}

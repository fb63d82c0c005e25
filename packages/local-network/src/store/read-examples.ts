import type { RecordType } from '@hailstone/ledger'
import type { Reads } from './reads.ts'

export const exampleReads = {
  /** A range of the index by height. */
  async exampleRecords(queries, sinceHeight) {
    const rows = await queries
      .selectFrom('account_record')
      .distinctOn('record_type')
      .select(['record_type', 'account', 'hash'])
      .where('height', '>=', sinceHeight)
      .orderBy('record_type')
      .orderBy('height', 'desc')
      .execute()
    return rows.map(({ record_type, account, hash }) => ({ type: record_type as RecordType, account, hash }))
  },
  async exampleDelegators(queries) {
    const [delegation, undelegation] = await Promise.all([
      queries.selectFrom('delegation').select('delegator').limit(1).executeTakeFirst(),
      queries
        .selectFrom('undelegation')
        .select('delegator')
        .where('is_claimed', '=', false)
        .limit(1)
        .executeTakeFirst(),
    ])
    return { delegator: delegation?.delegator, undelegator: undelegation?.delegator }
  },
} satisfies Reads

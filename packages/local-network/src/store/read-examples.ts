import type { RecordType } from '@hailstone/ledger'
import type { ChainStore, ExampleRecord } from './chain-store.ts'
import type { Queries } from './queries.ts'

/** The newest record of each type since the height: a range of the index by height. */
async function exampleRecords(queries: Queries, sinceHeight: number): Promise<readonly ExampleRecord[]> {
  const rows = await queries
    .selectFrom('account_record')
    .distinctOn('record_type')
    .select(['record_type', 'account', 'hash'])
    .where('height', '>=', sinceHeight)
    .orderBy('record_type')
    .orderBy('height', 'desc')
    .execute()
  return rows.map(({ record_type, account, hash }) => ({ type: record_type as RecordType, account, hash }))
}

async function exampleDelegators(queries: Queries) {
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
}

export const exampleReads = (queries: Queries): Pick<ChainStore, 'exampleRecords' | 'exampleDelegators'> => ({
  exampleRecords: (sinceHeight) => exampleRecords(queries, sinceHeight),
  exampleDelegators: () => exampleDelegators(queries),
})

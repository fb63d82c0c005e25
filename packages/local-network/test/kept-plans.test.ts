import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { openChainServer } from '../src/store/chain-database.ts'
import { createRecordPages } from '../src/store/read-accounts.ts'
import { batchedBlockReads } from '../src/store/read-blocks.ts'
import { describePostgres } from './engines.ts'

/** Statements that take from a connection what was prepared on it, as a pooler does that hands out another one. */
const losses: Readonly<Record<string, string>> = {
  'a connection that forgot them': 'deallocate all',
  'a table with more columns than when they were planned': 'alter table key_block add column later text',
}

/** Statements of which a server runs the first ones as if each were the only one, whatever they are. */
const PLANNED_ANEW = 5

describePostgres('plans that a server keeps', (server) => {
  test('each batched read is planned once, however many questions it has', async () => {
    const { queries, close } = await openChainServer(await server().createDatabase())
    try {
      const { macroblockAt, macroblockNamed, wholeMicroblock, transaction } = batchedBlockReads(queries)
      const recordPage = createRecordPages(queries)
      const pageOf = (of: 'all' | 'transactions' | 'iin') => (at: number) =>
        recordPage({ account: `account ${at}`, selection: { of }, page: 0, size: 10 })
      const reads: readonly ((at: number) => Promise<unknown>)[] = [
        macroblockAt,
        (at) => macroblockNamed(`${at}`),
        (at) => wholeMicroblock(`${at}`),
        (at) => transaction(`${at}`),
        pageOf('all'),
        pageOf('transactions'),
        pageOf('iin'),
      ]
      for (const read of reads)
        for (let time = 0; time < PLANNED_ANEW + 2; time++)
          await Promise.all(Array.from({ length: 1 + (time % 3) }, (_, at) => read(at)))
      const { rows } = await queries.executeQuery(
        CompiledQuery.raw('select generic_plans, custom_plans from pg_prepared_statements') as never,
      )
      expect(rows).toEqual(reads.map(() => ({ generic_plans: 2n, custom_plans: BigInt(PLANNED_ANEW) })))
    } finally {
      await close()
    }
  })

  for (const [loss, statement] of Object.entries(losses)) {
    test(`${loss} costs no answer`, async () => {
      const { queries, close } = await openChainServer(await server().createDatabase())
      try {
        const run = (text: string) => queries.executeQuery<{ name: string }>(CompiledQuery.raw(text) as never)
        await run(
          `insert into key_block values (1, 'aa', 1, 'publisher', 1, 'link', 'sprout', 'root', 1, null)`,
        )
        const { macroblockAt } = batchedBlockReads(queries)
        const before = await macroblockAt(1)
        expect(before?.keyBlock.hash).toBe('aa')
        // One at a time, so all of it goes through one connection.
        const { rows } = await run('select name from pg_prepared_statements')
        expect(rows).toHaveLength(1)
        await run(statement)
        expect(await macroblockAt(1)).toEqual(before)
        expect(await macroblockAt(1)).toEqual(before)
      } finally {
        await close()
      }
    })
  }
})

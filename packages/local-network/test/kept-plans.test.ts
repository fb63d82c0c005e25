import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { openPostgres } from '../src/store/open-postgres.ts'
import { blockReads } from '../src/store/read-blocks.ts'
import { describePostgres } from './engines.ts'

/** Statements that take from a connection what was prepared on it, as a pooler does that hands out another one. */
const losses: Readonly<Record<string, string>> = {
  'a connection that forgot them': 'deallocate all',
  'a table with more columns than when they were planned': 'alter table key_block add column later text',
}

describePostgres('plans that a server keeps', (server) => {
  for (const [loss, statement] of Object.entries(losses)) {
    test(`${loss} costs no answer`, async () => {
      const { queries, close } = await openPostgres(await server().createDatabase())
      try {
        const run = (text: string) => queries.executeQuery<{ name: string }>(CompiledQuery.raw(text) as never)
        await run(
          `insert into key_block values (1, 'aa', 1, 'publisher', 1, 'link', 'sprout', 'root', 1, null)`,
        )
        const { macroblockAt } = blockReads(queries)
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

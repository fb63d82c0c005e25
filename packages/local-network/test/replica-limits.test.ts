import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connectReplica } from '../src/store/chain-database.ts'
import { describePostgres } from './engines.ts'
import { queryDatabase } from './postgres-server.ts'

describePostgres('time limits of a copy', (server) => {
  test('D-8: a statement that takes long ends at the server too, and its connection goes on', async () => {
    const url = await server().createDatabase()
    const copy = connectReplica(url, { serverLimitMs: 100, limitMs: 600_000 })
    try {
      const connection = () => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(copy.queries)
      const before = (await connection()).rows
      await expect(sql`select pg_sleep(3600)`.execute(copy.queries)).rejects.toMatchObject({ code: '57014' })
      expect((await connection()).rows).toEqual(before)
      const running = `select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'`
      expect(await queryDatabase(url, running)).toEqual([])
    } finally {
      await copy.close()
    }
  })

  test('D-8: an answer that arrived while this process was busy is not late', async () => {
    const copy = connectReplica(await server().createDatabase(), { limitMs: 500 })
    try {
      const ask = () => sql<{ one: number }>`select 1 as one`.execute(copy.queries)
      await ask()
      const answer = ask()
      // The statement leaves this process before that stands still, for longer than the limit.
      await new Promise<void>((resolve) =>
        setImmediate(() => {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
          resolve()
        }),
      )
      expect((await answer).rows).toEqual([{ one: 1 }])
    } finally {
      await copy.close()
    }
  })
})

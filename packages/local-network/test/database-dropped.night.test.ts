import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import type { Logger } from '../src/logger.ts'
import { describePostgres } from './engines.ts'
import { queryDatabase } from './postgres-server.ts'
import { until } from './until.ts'

describePostgres('a network whose database is dropped', (server) => {
  it('answers that its store is away, says so once without a stack, and goes on when it is restored', async () => {
    const database = await server().createDatabase()
    const lines: { readonly message: string; readonly text: string }[] = []
    const note = (message: string, facts: unknown): void =>
      void lines.push({ message, text: JSON.stringify(facts) })
    const logger: Logger = { debug: () => {}, info: () => {}, warn: note, error: note }
    const network = await startLocalNetwork({ database, blockTimeMs: 500, logger })
    const name = new URL(database).pathname.slice(1)
    const place = new URL(database)
    place.pathname = '/postgres'
    const execute = async (...statements: readonly string[]): Promise<void> => {
      for (const statement of statements) await queryDatabase(place.href, statement)
    }
    const ask = async (path: string): Promise<number> => {
      const response = await fetch(`${network.apiUrl}/${path}`)
      await response.text()
      return response.status
    }
    try {
      await until(() => network.height() >= 2)
      // For whoever connects, a database that was renamed is one that was dropped.
      await execute(
        `alter database ${name} with allow_connections false`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        `alter database ${name} rename to ${name}_away`,
      )
      await until(async () => (await ask('get_tokens_count')) === 503)
      const paths = ['macroblock_by_height?height=0', 'macroblock_by_height?height=1', 'get_tokens_count']
      for (let round = 0; round < 5; round++)
        for (const path of paths) expect([path, await ask(path)]).toEqual([path, 503])
      expect(lines.map(({ text }) => text).join('\n')).not.toMatch(/\\n\s+at /)
      expect(lines.filter(({ message }) => message === 'the store does not answer')).toHaveLength(1)

      await execute(
        `alter database ${name}_away rename to ${name}`,
        `alter database ${name} with allow_connections true`,
      )
      await until(async () => (await ask('get_tokens_count')) === 200)
      const height = network.height()
      await until(() => network.height() > height + 1)
    } finally {
      await network.stop().catch(() => undefined)
    }
  })
})

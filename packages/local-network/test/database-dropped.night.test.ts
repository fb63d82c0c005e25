import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import type { Logger } from '../src/logger.ts'
import { describePostgres } from './engines.ts'
import { queryDatabase } from './postgres-server.ts'

describePostgres('a network whose database is dropped', (server) => {
  it('answers that its store is away, and says so once without a stack', async () => {
    const database = await server().createDatabase()
    const lines: { readonly message: string; readonly text: string }[] = []
    const note = (message: string, facts: unknown): void =>
      void lines.push({ message, text: JSON.stringify(facts) })
    const logger: Logger = { debug: () => {}, info: () => {}, warn: note, error: note }
    const network = await startLocalNetwork({ database, apiPort: 0, gatewayPort: 0, logger })
    try {
      const other = new URL(database)
      other.pathname = '/postgres'
      await queryDatabase(other.href, `drop database "${new URL(database).pathname.slice(1)}" with (force)`)
      const paths = [
        'macroblock_by_height?height=0',
        'macroblock_by_height?height=1',
        'get_tokens_count',
        'stats',
      ]
      const ask = async (path: string): Promise<number> => {
        const response = await fetch(`${network.apiUrl}/${path}`)
        await response.text()
        return response.status
      }
      for (let round = 0; round < 5; round++)
        for (const path of paths) expect([path, [200, 503].includes(await ask(path))]).toEqual([path, true])
      expect(await ask('get_tokens_count')).toBe(503)
      const text = lines.map((line) => `${line.message} ${line.text}`).join('\n')
      expect(text).not.toMatch(/\\n\s+at /)
      expect(lines.filter(({ message }) => message === 'the store does not answer')).toHaveLength(1)
    } finally {
      await network.stop().catch(() => undefined)
    }
  })
})

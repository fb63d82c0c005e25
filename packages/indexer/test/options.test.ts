import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { inWordsOfCommand, runCommand } from '../src/command.ts'

const token = ['--token', 'ab'.repeat(32)]
const url = 'postgres://nobody@127.0.0.1:1/none'

/** Runs the command and returns its exit code and the first line that it complains. */
async function run(words: readonly string[]): Promise<readonly [number, string | undefined]> {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const code = await runCommand([...words, ...token])
    return [code, String(written.mock.calls[0]?.[0]).trim()]
  } finally {
    written.mockRestore()
  }
}

it.each([
  [['--schema', 'figures'], '--schema names a schema on a server, and a folder has none'],
  [['check', '--schema', 'figures', '--data', 'x'], '--schema names a schema on a server'],
  [['--data', 'x', '--database', url], '--data and --database name more'],
  [['--database', url, '--database-file', 'x'], '--database and --database-file name more'],
  [['--sample', '5'], '--sample belongs to hailstone-indexer check'],
  [['rebuild', '--once'], '--once says nothing to rebuild'],
])('an option that would be ignored is refused: %j', async (words, sentence) => {
  vi.stubEnv('HAILSTONE_DATABASE', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await run(words)).toEqual([2, expect.stringContaining(sentence)])
})

it('a folder beside a database of the environment is refused, and so is an empty file of an address', async () => {
  vi.stubEnv('HAILSTONE_DATABASE', url)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await run(['--data', 'x'])).toEqual([2, expect.stringContaining('--data and HAILSTONE_DATABASE')])
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-options-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'url'), '\n')
  expect((await run(['check', '--database-file', join(folder, 'url')]))[0]).toBe(2)
})

it('a statement that the database refuses has a sentence with its SQLSTATE, a fault of the program has none', () => {
  const refusal = Object.assign(new Error('permission denied for database figures'), { code: '42501' })
  expect(inWordsOfCommand(refusal)?.message).toBe(
    'The database refuses (permission denied for database figures, SQLSTATE 42501).',
  )
  expect(inWordsOfCommand(new TypeError('x is undefined'))).toBeNull()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import type { Terminal } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'hailstone-ignored-'))
afterAll(() => rmSync(folder, { recursive: true }))
const keyFile = join(folder, 'key')
writeFileSync(keyFile, `${'1'.repeat(64)}\n`, { mode: 0o600 })

const address = `02${'ab'.repeat(32)}`
const api = ['--api', 'http://127.0.0.1:9/api/v1']
const mine = [...api, '--gateway', 'ws://127.0.0.1:9', '--key-file', keyFile]

async function run(words: readonly string[]): Promise<readonly [number, string]> {
  const warned: string[] = []
  const nothing = (): void => {}
  const nobody = async (): Promise<string> => ''
  const terminal: Terminal = {
    ...{ manner: 'plain', hasColours: false, columns: () => 80, rows: () => 24 },
    ...{ write: nothing, say: nothing, tell: nothing, warn: (line) => void warned.push(line) },
    ...{ readInput: nobody, askSecret: nobody, ask: nobody, environment: {} },
  }
  return [await runCommand([...words], () => terminal), warned.join('\n')]
}

it.each([
  [['send', ...mine, '--to', address, '--amount', '1'], 'no option --gateway'],
  [['watch', 'rewards', address, '--data', 'x'], 'no option --data'],
  [['wallet', 'show', '--key-file', keyFile, '--data', 'x'], 'no option --data'],
  [
    ['balance', address, ...api, '--key-file', keyFile],
    'the account after the command and --key-file name more',
  ],
  [['watch', 'balance', address, ...api, '--address', address], 'and --address name more'],
  [['doctor', ...mine, '--address', address], '--address and --key-file name more'],
  [['doctor', ...mine, '--keys-file', keyFile], '--keys-file names the accounts'],
  [['mine', ...mine, '--password-file', keyFile], '--password-file opens a keystore'],
  [['mine', ...mine, '--health-token-file', keyFile], '--health-token-file is about health'],
  [['mine', ...mine, '--health-allow-host', 'a.example'], '--health-allow-host is about health'],
  [['wallet', 'new', '--out', 'x', '--plain', '--password-file', keyFile], '--plain stores the key without'],
  [
    ['wallet', 'export', '--key-file', keyFile, '--out', 'x', '--reveal'],
    '--out and --reveal say two places',
  ],
  [['status', '--health-port', '1', '--data', 'x'], 'leave --data out'],
  [['send', ...api, '--key-file', keyFile, '--resume', '--memo', 'x'], 'leave --memo out'],
])('an option that would be ignored is refused: %j', async (words, sentence) => {
  expect(await run(words)).toEqual([2, expect.stringContaining(sentence)])
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RUNNING, runningProcesses } from '@hailstone/runtime/node'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { buildPackages } from '../../client/test/support/build-packages.ts'
import { describePostgresByNight } from '../../local-network/test/engines.ts'
import { openIndex } from '../src/open-index.ts'
import { kill } from './killed-indexer.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain } from './test-chain.ts'

beforeAll(() => buildPackages('runtime', 'protocol', 'database', 'client', 'mining-node', 'indexer'))

type Command = {
  readonly child: ChildProcess
  readonly said: () => string
  readonly complained: () => string
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

/** Starts the command in a process of its own. */
function startCommand(words: readonly string[]): Command {
  const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
  const child = spawn(process.execPath, [bin, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, complained] = ['', '']
  child.stdout.on('data', (text) => {
    said += String(text)
  })
  child.stderr.on('data', (text) => {
    complained += String(text)
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, said: () => said, complained: () => complained, ended }
}

it.each([
  ['check', ['check'], 1],
  ['rebuild', ['rebuild'], 1],
  // As it ends when it is stopped later.
  ['run that has just begun', [], 0],
])('an interrupted %s ends in order, and without a word', async (_, verbs, code) => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-command-'))
  // An API that takes every question and answers none.
  const api = createServer().listen(0, '127.0.0.1')
  await once(api, 'listening')
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/api/v1`
  const asked = once(api, 'request')
  const command = startCommand([...verbs, '--api', url, '--token', 'ab'.repeat(32), '--data', folder])
  try {
    await Promise.race([asked, command.ended])
    command.child.kill(code === 0 ? 'SIGTERM' : 'SIGINT')
    expect([await command.ended, command.said(), command.complained()]).toEqual([code, '', ''])
  } finally {
    await kill(command.child)
    api.closeAllConnections()
    api.close()
    await rm(folder, { recursive: true, force: true })
  }
})

const unreachable = ['--database', 'postgres://nobody@127.0.0.1:1/none']

it.each([
  ['an API', ['--api', 'http://127.0.0.1:1/api/v1'], /^behind before the first block: .+refused\.\n$/],
  [
    'a database',
    [...unreachable, '--poll', '20'],
    /^The database does not answer \(.+ECONNREFUSED.+\)\. It is asked again every 20 ms\.\n$/,
  ],
  [
    'a database of a rebuild',
    ['rebuild', ...unreachable],
    /^The database does not answer \(.+ECONNREFUSED.+\)\. It is tried again; the index that is there stays\.\n$/,
  ],
])('%s that is away at the start is told once, and waited for', async (_, options, words) => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-command-'))
  const place = options.includes('--database') ? [] : ['--data', folder]
  const command = startCommand([...options, ...place, '--token', 'ab'.repeat(32)])
  const text = () => command.said() + command.complained()
  try {
    while (!text().includes('\n') && command.child.exitCode === null) await setTimeout(20)
    command.child.kill('SIGTERM')
    expect(await command.ended).toBe(options[0] === 'rebuild' ? 1 : 0)
    expect(text()).toMatch(words)
  } finally {
    await kill(command.child)
    await rm(folder, { recursive: true, force: true })
  }
})

it.runIf(existsSync('/dev/full'))('goes on while the disk of its log is full', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-command-'))
  const full = openSync('/dev/full', 'w')
  const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
  const place = [
    '--api',
    'http://127.0.0.1:1/api/v1',
    '--token',
    'ab'.repeat(32),
    '--data',
    join(folder, 'index'),
  ]
  const child = spawn(process.execPath, [bin, ...place, '--poll', '20', '--health-port', '0'], {
    stdio: ['ignore', full, full],
    env: { ...process.env, HAILSTONE_DATA: folder },
  })
  const ended = once(child, 'exit')
  try {
    // Its record has the port: nothing of what it says can be read.
    const metrics = async (): Promise<string> => {
      const [found] = await runningProcesses(join(folder, RUNNING))
      if (!found?.healthUrl) return ''
      return await (await fetch(new URL('/metrics', found.healthUrl))).text()
    }
    while (!/^hailstone_indexer_api_failures_total (?:[3-9]|\d\d+)$/m.test(await metrics())) {
      expect(child.exitCode).toBeNull()
      await setTimeout(20)
    }
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await runningProcesses(join(folder, RUNNING))).toEqual([])
  } finally {
    closeSync(full)
    await kill(child)
    await rm(folder, { recursive: true, force: true })
  }
})

it('a token that is given twice is a sentence', async () => {
  const token = 'ab'.repeat(32)
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-command-'))
  const command = startCommand(['--token', token, '--token', token, '--data', folder])
  expect(await command.ended).toBe(2)
  expect(command.complained()).toMatch(/^The setting "--token" should be tokens that are each named once/)
  await rm(folder, { recursive: true, force: true })
})

it('names its version and Node, as the other commands do', async () => {
  for (const option of ['--version', '-V']) {
    const command = startCommand([option])
    expect([await command.ended, command.complained()]).toEqual([0, ''])
    expect(command.said()).toMatch(/^hailstone-indexer \d+\.\d+\.\d+, node v\d+/)
  }
})

it('a database that does not answer is one sentence with the reason', async () => {
  // Nothing listens there; the name has two addresses on most machines.
  const options = ['--token', 'ab'.repeat(32), '--database', 'postgres://nobody@localhost:1/none']
  const command = startCommand(['check', ...options])
  expect(await command.ended).toBe(1)
  expect(command.complained()).toMatch(/^The database does not answer \(.*ECONNREFUSED.*\)\.\n$/)
})

it('a check of a folder that is not there makes none', async () => {
  const folder = join(tmpdir(), `hailstone-none-${process.pid}`)
  const command = startCommand(['check', '--token', 'ab'.repeat(32), '--data', folder])
  expect(await command.ended).toBe(2)
  expect(command.complained()).toContain(`There is no index in ${folder}.`)
  expect(existsSync(folder)).toBe(false)
})

it('a token that cannot be indexed, or is not in the index, is told in the words of the command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-command-'))
  try {
    await using chain = await openTestChain('native')
    const { native, mineable } = chain.genesis.tokens
    const run = async (tokenId: string) => {
      const command = startCommand(['--once', '--api', chain.apiUrl, '--token', tokenId, '--data', folder])
      return [await command.ended, command.complained().split('\n')[0]]
    }
    expect(await run(native.id)).toEqual([
      2,
      'The setting "--token" should be a token other than the native one of the network, whose ledger is not kept here; found the native one.',
    ])
    expect(await run(mineable.id)).toEqual([0, ''])
    expect(await run(native.id)).toEqual([
      2,
      `The setting "--token" should be tokens that this index was begun with (${mineable.id}); a further one needs an index that is begun anew; found another one, ${native.id.slice(0, 8)}….`,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describePostgresByNight('the command on PostgreSQL', (server) => {
  it('tells of a server that is away once for each reason, and goes on when it is back', async () => {
    await using chain = await openTestChain('away')
    for (let left = 3; left > 0; left--) await closeRandom(chain, randomOf(50))
    const database = await server().createDatabase()
    const options = ['--api', chain.apiUrl, '--token', chain.token.id, '--database', database]
    const { child, said, complained, ended } = startCommand([...options, '--poll', '20'])
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) {
        expect([child.exitCode, complained()]).toEqual([null, expect.anything()])
        await setTimeout(20)
      }
    }
    let isDown = false
    try {
      await until(() => said().includes('current at height 2'))
      isDown = true
      await server().crash()
      await until(() => complained().includes('\n'))
      await server().start()
      isDown = false
      await until(() => said().split('current at height 2').length === 3)
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    } finally {
      if (isDown) await server().start()
      await kill(child)
    }
    const lines = complained().trim().split('\n')
    for (const line of lines)
      expect(line).toMatch(/^The database does not answer \(.+\)\. It is asked again every 20 ms\.$/)
    expect(lines.filter((line, at) => line === lines[at - 1])).toEqual([])
  })

  it('ends soon after a signal while the server answers nothing', async () => {
    await using chain = await openTestChain('silent')
    const database = await server().createDatabase()
    await using index = await openIndex({ database })
    await index.queries.transaction().execute(async (transaction) => {
      await sql`lock table migration`.execute(transaction)
      const options = ['--api', chain.apiUrl, '--token', chain.token.id, '--database', database]
      const waiting = sql`select from pg_locks where not granted`
      // The server keeps the statement of a process that is gone.
      for (const [before, verb] of [[], ['check']].entries()) {
        const { child, ended } = startCommand([...verb, ...options])
        while ((await waiting.execute(index.queries)).rows.length === before) await setTimeout(20)
        child.kill('SIGTERM')
        expect(await ended).toBe(before)
      }
    })
  })
})

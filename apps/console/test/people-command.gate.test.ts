import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openIndex } from '@hailstone/indexer'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it, vi } from 'vitest'
import { describeEngines } from '../../../packages/local-network/test/engines.ts'
import { runConsole } from '../src/command.ts'
import { createApiTokens } from '../src/people/api-tokens.ts'
import { PEOPLE_HELP } from '../src/people/people-command.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { createPersonStore } from '../src/people/person-store.ts'
import { PASSWORD } from './console-fixture.ts'

const command = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** Runs the command of the console with a line on standard input. */
async function run(words: readonly string[], input = '') {
  const child = spawn(process.execPath, [command, ...words], { stdio: 'pipe' })
  let [out, errors] = ['', '']
  child.stdout.on('data', (text) => {
    out += String(text)
  })
  child.stderr.on('data', (text) => {
    errors += String(text)
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, out, errors }
}

/** Runs it in this process, where nothing is typed: a program of its own loads all modules first, for a second. */
async function runHere(words: readonly string[]) {
  const written = (stream: NodeJS.WriteStream) => vi.spyOn(stream, 'write').mockReturnValue(true)
  const [out, errors] = [written(process.stdout), written(process.stderr)]
  const textOf = ({ mock }: typeof out): string => mock.calls.map(([text]) => String(text)).join('')
  try {
    const code = await runConsole(words)
    return { code, out: textOf(out), errors: textOf(errors) }
  } finally {
    out.mockRestore()
    errors.mockRestore()
  }
}

describeEngines('the command', (engine) => {
  it('adds, lists, changes and removes people and tokens', async () => {
    const place = await engine.newPlace()
    const option =
      place.database === undefined ? ['--data', place.folder ?? ''] : ['--database', place.database]
    const kept = (...words: readonly string[]) => [...words, ...option]
    const list = async (): Promise<string> => (await runHere(kept('people', 'list'))).out
    const viewer = await run(kept('people', 'add', 'Vera', '--role', 'viewer'), `${PASSWORD}\n`)
    expect(viewer).toStrictEqual({
      ...{ code: 1, out: '', errors: 'The first person is an owner, who can add others.\n' },
    })
    const short = await run(kept('people', 'add', 'ada', '--role', 'owner'), 'short\n')
    expect(short).toMatchObject({ code: 1, errors: 'A password has 12 to 128 characters.\n' })
    expect(await runHere(kept('people', 'add', 'ada'))).toStrictEqual({
      ...{ code: 2, out: '', errors: '--role is one of viewer, support, analyst, admin, owner.\n' },
    })
    const added = await run(kept('people', 'add', 'ada', '--role', 'owner'), `${PASSWORD}\n`)
    expect(added).toStrictEqual({ code: 0, out: 'ada can sign in as owner.\n', errors: '' })
    expect(await list()).toMatch(/^ada +owner +password only {2}since \d{4}-\d\d-\d\d\n$/)
    const totp = await runHere(kept('people', 'totp', 'Ada'))
    expect(totp.out).toMatch(
      /^Enter this in [^\n\uFFFD]+:\n\notpauth:\/\/totp\/console%3Aada\?secret=[A-Z2-7]{32}&issuer=console\n$/,
    )
    expect(await list()).toContain('second factor')
    expect((await runHere(kept('people', 'totp', 'ada', '--off'))).out).toBe(
      'ada signs in with the password alone.\n',
    )
    const changed = await run(kept('people', 'password', 'ada'), 'another horse battery\n')
    expect(changed.out).toBe('ada has a new password and is signed out everywhere.\n')
    {
      await using index = await openIndex(place)
      const people = createPersonStore({ queries: await openPeopleTables(index) })
      const row = await people.queries.selectFrom('person').selectAll().executeTakeFirstOrThrow()
      expect(await people.passwords.check('another horse battery', row.password)).toBe(true)
      await createApiTokens(people).add({ label: 'Grafana', role: 'viewer', days: 3 }, row)
    }
    expect((await runHere(kept('tokens', 'list'))).out).toMatch(/^1 +Grafana +viewer +by ada, until /)
    expect((await runHere(kept('tokens', 'remove', '1'))).out).toBe('Token 1 is removed.\n')
    expect((await runHere(kept('people', 'remove', 'ada'))).out).toBe(
      'ada is removed, with all sessions and tokens.\n',
    )
    expect(await list()).toBe('Nobody yet: links of the command sign in.\n')
  })
})

it.each([
  [['people', 'list', '--role', 'owner'], '--role belongs to people add. Leave it out.\n'],
  [['people', 'remove', 'ada', '--off'], '--off belongs to people totp. Leave it out.\n'],
  [['tokens', 'list', '7'], 'tokens list lists all: leave "7" out.\n'],
])('refuses what it would ignore: %j', async (words, errors) => {
  expect(await runHere([...words, '--data', 'nowhere'])).toStrictEqual({ code: 2, out: '', errors })
})

it('says its help in lines, each as it was written', async () => {
  const { code, out, errors } = await runHere(['people', '--help'])
  expect([code, errors]).toStrictEqual([0, ''])
  expect(out).toBe(`${PEOPLE_HELP}\n`)
  expect(out).toMatch(/^ {2}people list +names, roles and second factors$/m)
  expect(await runHere(['tokens', '--help'])).toStrictEqual({ code, out, errors })
})

const beyondHere = ['--api', 'http://127.0.0.1:1', '--token', '0'.repeat(64), '--data', 'nowhere']

it.each([
  [['people', 'ad'], 'Did you mean add?'],
  [['people', 'list'], 'Name the tables that the console keeps, with --data DIR or --database URL.'],
  [['people', 'add', 'Ada', 'Lovelace'], 'A name with spaces is written in quotes.'],
  [['--host', '0.0.0.0'], '--host and --allow-host need people'],
  [['--allow-host', 'console.example'], 'use them with --api and with --data or --database.'],
  [[...beyondHere, '--allow-host', 'https://console.example'], 'a name alone, without https:// and port'],
  [[...beyondHere, '--allow-host', 'console.example', '--proxy', 'proxy'], '--proxy is an IP address'],
])('refuses %j with a sentence', async (words, sentence) => {
  const { code, out, errors } = await runHere(words)
  expect([code, out]).toStrictEqual([2, ''])
  expect(errors).toContain(sentence)
  expect(errors).not.toContain('    at ')
})

it('says before a population is played that another program has the port', async () => {
  const other = createServer().listen({ port: 0, host: '127.0.0.1' })
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, out, errors } = await run(['--port', String(port), '--days', '8'])
  other.close()
  expect([code, out]).toStrictEqual([2, ''])
  expect(errors).toBe(`Port ${port} is taken by another program. Choose another one with --port N.\n`)
})

it('ends where the console of a network finds its port taken or its database away', async () => {
  await using network = await startLocalNetwork({ blockTimeMs: 3_600_000 })
  const shown = ['--api', network.apiUrl, '--token', network.tokens.mineable.id]
  const { port } = new URL(network.apiUrl)
  const taken = await run([...shown, '--port', port])
  expect([taken.code, taken.errors]).toStrictEqual([
    ...[2, `Port ${port} is taken by another program. Choose another one with --port N.\n`],
  ])
  const away = await run([...shown, '--database', 'postgres://127.0.0.1:1/none'])
  expect([away.code, away.errors]).toStrictEqual([
    1,
    expect.stringMatching(/^The database does not answer \([^\n]+\)\.\n$/),
  ])
})

it('names the folder that cannot be written', async () => {
  const { code, errors } = await runHere([...beyondHere.slice(0, 4), '--data', '/dev/null/tables'])
  expect(code).toBe(1)
  expect(errors).toMatch(
    /^\/dev\/null\S*: .+ \(E[A-Z]+\)\. Make room, or choose another folder with --data DIR\.\n$/,
  )
})

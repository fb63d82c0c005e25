// Takes the ports 4410 to 4413, which the documents name.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../test-browser/src/index.ts'
import { commandsIn, readDocument, root, savedFilesIn } from './document-commands.ts'
import { endAll, newUser, runLine } from './terminals.ts'

/** A command as a document has it, and what comes of it: without `until` it ends, and well. */
type Step = {
  readonly command: string
  /** Printed by a command that does not end by itself. */
  readonly until?: RegExp
  /** Folder in which the document has it run: that of the project, if there is one, or the clone. */
  readonly at?: 'clone'
  /** True if its output appears only after the commands that follow it. */
  readonly isLater?: true
  /** The commands before it are ended first. */
  readonly isAlone?: true
}

const NETWORK = /ws:\/\/127\.0\.0\.1:4411/
const REWARD = /^reward +[\d.]+ DEV in block \d+$/m

const documents: Readonly<Record<string, readonly Step[]>> = {
  'README.md': [
    { command: 'npm start', until: /Agent earned [\d.]+ DEV for inviting Miner/ },
    { command: 'node apps/sample/mine.mjs', until: /^earned [\d.]+ DEV$/m },
    { command: 'npm test', isAlone: true },
  ],
  'docs/tutorials/1-first-reward.md': [
    { command: 'npm run create -- my-miner --template node --yes' },
    { command: 'cd my-miner && npm run dev', until: REWARD },
    { command: 'npm run network -- --block-time 2s', at: 'clone', until: NETWORK },
    { command: 'node src/first-reward.mjs' },
  ],
  'docs/tutorials/2-your-brand.md': [
    {
      command: 'npm run create -- kelp --template brand --name "Kelp Mining" --primary "#1d7a46" --yes',
    },
    { command: 'cd kelp && npm run preview', until: /http:\/\/127\.0\.0\.1:\d+/ },
    { command: 'npm run network', at: 'clone', until: NETWORK },
    { command: 'npm run check' },
    { command: 'npm run build' },
    { command: 'npm run brand -- build --host nginx' },
    { command: 'npm update' },
    { command: 'npm run build' },
  ],
  'docs/tutorials/3-a-payment.md': [],
  'docs/tutorials/4-a-bot-with-webhooks.md': [
    { command: 'npm run create -- my-bot --template node --yes' },
    { command: 'cd my-bot' },
    { command: 'npm run network -- --block-time 2s', at: 'clone', until: NETWORK },
    {
      command: 'node src/receiver.ts',
      until: /^\{"type":"reward","data":\{"amount":"\d+","height":\d+\}\}$/m,
      isLater: true,
    },
    // It prints nothing.
    { command: 'node src/bot.ts', until: /^/ },
  ],
  'docs/tutorials/5-tests-with-a-local-network.md': [
    { command: 'npm run create -- my-tests --template test --yes' },
    { command: 'cd my-tests' },
    { command: 'npm test' },
  ],
}

let folder: string
let clone: string
let env: NodeJS.ProcessEnv

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hailstone-documents-'))
  clone = join(folder, 'clone')
  env = newUser(join(folder, 'home'))
  execFileSync('git', ['clone', '--quiet', root, clone])
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const runsTypeScript = major > 22 || (major === 22 && minor >= 18)
/** As the tutorials say for a Node that does not run TypeScript. */
const onThisNode = (line: string): string =>
  runsTypeScript ? line : line.replace(/^node (?=\S+\.ts\b)/, 'node --import tsx ')

function save(files: ReadonlyMap<string, string>, into: string): void {
  for (const [name, content] of files) {
    mkdirSync(dirname(join(into, name)), { recursive: true })
    writeFileSync(join(into, name), content)
  }
}

/** Runs the steps of a document in their order, and saves its files where a project is there for them. */
async function follow(path: string, steps: readonly Step[]): Promise<readonly string[]> {
  const files = savedFilesIn(readDocument(path))
  let project = clone
  const printed: Promise<string>[] = []
  for (const { command, until, at, isAlone, isLater } of steps) {
    const [, into, rest = ''] = /^cd (\S+)(?: && (.*))?$/.exec(command) ?? [null, undefined, command]
    if (into !== undefined) {
      project = join(project, into)
      save(files, project)
    }
    if (isAlone) await endAll()
    const cwd = at === 'clone' ? clone : project
    if (rest === '') continue
    const running = runLine(onThisNode(rest), { cwd, env, until })
    printed.push(running)
    if (isLater) running.catch(() => undefined)
    else await running
  }
  return Promise.all(printed)
}

it('are those of README and of every tutorial, with those that go on marked so', () => {
  const tutorials = readdirSync(join(root, 'docs/tutorials')).map((file) => `docs/tutorials/${file}`)
  expect(Object.keys(documents)).toStrictEqual(['README.md', ...tutorials.toSorted()])
  for (const [path, steps] of Object.entries(documents))
    expect(commandsIn(path).map(({ command, stays }) => [command, stays])).toStrictEqual(
      steps.map(({ command, until }) => [command, until !== undefined]),
    )
})

describe('in a fresh clone with an empty home', () => {
  it.each(Object.keys(documents).filter((path) => (documents[path] ?? []).length > 0))(
    '%s, command by command',
    async (path) => {
      const printed = await follow(path, documents[path] ?? [])
      expect(printed.length).toBeGreaterThan(0)
    },
    7_200_000,
  )

  it.each(['react', 'page'])(
    'the page of %s earns',
    async (template) => {
      const name = `my-${template}`
      await runLine(`npm run create -- ${name} --template ${template} --yes`, { cwd: clone, env })
      const cwd = join(clone, name)
      await runLine('npm run typecheck && npm run build', { cwd, env })
      const printed = await runLine('npm run dev', { cwd, env, until: /^page +http:\S+$/m })
      const browser = await openBrowser()
      try {
        const page = await (await browser.newContext()).newPage()
        await page.goto(/^page +(http:\S+)$/m.exec(printed)?.[1] ?? '')
        await page.getByRole('button', { name: 'Start mining' }).click()
        expect(await page.getByRole('listitem').first().textContent({ timeout: 240_000 })).toMatch(/\d/)
      } finally {
        await browser.close()
      }
    },
    3_600_000,
  )

  it('the template bot earns, beside a network of its own', async () => {
    await runLine('npm run create -- my-service --template bot --yes', { cwd: clone, env })
    await runLine('npm run dev', {
      cwd: join(clone, 'my-service'),
      env,
      until: /^webhook +\{"type":"rewarded"/m,
    })
  }, 3_600_000)

  it('a project is made where npm is called, in a folder with spaces too', async () => {
    const elsewhere = join(folder, 'some where')
    mkdirSync(elsewhere)
    await runLine(`npm --prefix ${clone} run create -- made --template node --yes --no-install`, {
      cwd: elsewhere,
      env,
    })
    expect(existsSync(join(elsewhere, 'made', 'package.json'))).toBe(true)
    expect(existsSync(join(clone, 'made'))).toBe(false)
  }, 1_800_000)

  it('the line of npm run pack installs its packages, together and one by one', async () => {
    const names = ['@hailstone/react', '@hailstone/local-network']
    const printed = await runLine(`npm run pack -- ${names.join(' ')}`, { cwd: clone, env })
    const line = printed.trim().split('\n').at(-1) ?? ''
    expect(line).toMatch(/^npm install \S+\.tgz( \S+\.tgz)+$/)
    const archives = line.split(' ').slice(2)
    const ways = { together: [line], apart: ['react', ...archives].map((one) => `npm install ${one}`) }
    for (const [way, lines] of Object.entries(ways)) {
      const cwd = join(folder, way)
      mkdirSync(cwd)
      writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }')
      for (const one of lines) await runLine(`${one} --no-audit --no-fund`, { cwd, env })
      for (const name of names) await runLine(`node -e "import('${name}')"`, { cwd, env })
      const lock = readFileSync(join(cwd, 'package-lock.json'), 'utf8')
      expect(lock).not.toMatch(/"resolved": "http[^"]*(?:@hailstone|\/hailstone)/)
    }
  }, 3_600_000)
})

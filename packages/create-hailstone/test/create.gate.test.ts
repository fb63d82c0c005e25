import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { BRAND, templateNames } from '../src/templates.ts'
import { manifestFor } from '../src/write-project.ts'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const parent = mkdtempSync(join(tmpdir(), 'hailstone-create-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

let folder = ''
let folders = 0
beforeEach(() => {
  folder = join(parent, `empty-${++folders}`)
  mkdirSync(folder)
})

/** Runs the command without a terminal. */
function run(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { CI: _, npm_config_user_agent: __, ...env } = process.env
  return spawnSync(process.execPath, [bin, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, ...environment },
    input: '',
  })
}

const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8')

describe.each(templateNames.filter((name) => name !== BRAND))('the template %s', (template) => {
  it('is written whole, under the name of its folder, with ranges of this release', () => {
    const { status, stdout } = run(['My Miner', '--template', template, '--no-install', '--yes'])
    expect([status, stdout]).toStrictEqual([0, expect.stringContaining('cd "My Miner"\n  npm install\n')])
    const manifest = JSON.parse(read('My Miner', 'package.json'))
    expect(manifest).toMatchObject({ name: 'my-miner', private: true, type: 'module' })
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
    for (const range of ranges) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/)
    expect(manifest.dependencies['@hailstone/client']).toBe('^0.1.0')
    expect(read('My Miner', '.gitignore')).toContain('node_modules')
    expect(read('My Miner', 'README.md')).toMatch(/```\nnpm install\nnpm (?:run dev|test)\n```/)
    expect(readdirSync(join(folder, 'My Miner'))).not.toContain('_gitignore')
    expect(existsSync(join(folder, 'My Miner', '.git'))).toBe(true)
  })
})

const nobody = 'There is nobody to ask, so the command line has to name'

it.each(['react', 'page'] as const)('the page of %s finds every file it names', (template) => {
  expect(run(['made', template, '--no-install', '--no-git']).status).toBe(0)
  const named = [...read('made', 'index.html').matchAll(/(?:href|src)="\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  )
  expect(named).toStrictEqual(['icon.svg', 'src/style.css', expect.stringMatching(/^src\/main\.tsx?$/)])
  const path = (file: string): string => (file === 'icon.svg' ? `public/${file}` : file)
  expect(named.filter((file) => !existsSync(join(folder, 'made', path(file))))).toStrictEqual([])
  expect(read('made', 'dev.ts')).toContain('startLocalNetwork')
})

describe('the template brand', () => {
  const words = ['acme', 'brand', '--no-install', '--no-git']

  it('is a folder of data with one dependency, made from its options alone', () => {
    const token = 'ab'.repeat(32)
    const given = ['--name', 'Acme Mining', '--token', token, '--primary', '#3a6ea5', '--network', 'testnet']
    const { status, stdout } = run([...words, ...given])
    expect([status, stdout]).toStrictEqual([
      0,
      expect.stringContaining('cd acme\n  npm install\n  npm run preview\n'),
    ])
    expect(readdirSync(join(folder, 'acme')).toSorted()).toStrictEqual([
      '.gitignore',
      'README.md',
      'assets',
      'brand.ts',
      'i18n',
      'package.json',
    ])
    expect(JSON.parse(read('acme', 'package.json'))).toMatchObject({
      name: 'acme-mining',
      private: true,
      scripts: { preview: expect.any(String), check: expect.any(String), build: expect.any(String) },
      dependencies: { '@hailstone/white-label': '^0.1.0' },
    })
    expect(JSON.parse(read('acme', 'package.json'))).not.toHaveProperty('devDependencies')
    const brand = read('acme', 'brand.ts')
    for (const text of ["'Acme Mining'", token, "primary: '#3a6ea5'", "preset: 'testnet'"])
      expect(brand).toContain(text)
    expect(read('acme', 'README.md')).toMatch(/^# Acme Mining\n[\s\S]*```\nnpm install\nnpm run preview\n```/)
  })

  it('keeps a bright colour as a ground, says which texts take, and ends well', () => {
    const { status, stdout } = run([...words, '--name', 'Acme', '--primary', '#ffe600'])
    expect([status, stdout]).toStrictEqual([
      0,
      expect.stringMatching(/#ffe600 has too little contrast.*: #a29100 is taken/),
    ])
    expect(stdout).toContain('acme: 0 errors')
    expect(read('acme', 'brand.ts')).toContain("primary: '#ffe600',\n    contrast: 'fix',")
  })

  it('needs nothing but --yes, and is named after its folder', () => {
    expect(run(['sea-shells', 'brand', '--yes', '--no-install']).status).toBe(0)
    expect(read('sea-shells', 'brand.ts')).toMatch(
      /id: 'sea-shells',[\s\S]*name: 'Sea shells',[\s\S]*'devnet'/,
    )
  })

  it.each([
    [[], `${nobody} --name. With --yes, defaults are taken. With npm, options follow two dashes`],
    [['--name', 'A', '--network', 'moon'], '--network: It should be one of'],
    [['--name', 'Acme', '--primary', 'red'], '--primary: It should be six hex digits'],
    [['--name', 'Acme', '--token', 'x'], '--token: It should be 64'],
  ])('is not begun with %j', (more, sentence) => {
    const { status, stderr } = run([...words, ...more])
    expect([status, stderr]).toStrictEqual([2, expect.stringContaining(sentence)])
    expect(readdirSync(folder)).toStrictEqual([])
  })

  it('is made in the folder it is started in, beside a repository that was made first', () => {
    mkdirSync(join(folder, '.git'))
    const { status, stdout } = run(['.', '--name', 'Acme', '--no-install'])
    expect([status, stdout]).toStrictEqual([0, expect.not.stringContaining('cd ')])
    expect(readdirSync(folder)).toContain('brand.ts')
  })
})

describe('the command line', () => {
  it.each([
    [['a', '--template', 'vue'], {}, 'There is no template vue. The templates are:\n  node '],
    [[], {}, `${nobody} a folder and --template.`],
    [['a'], {}, `${nobody} --template.`],
    [['a'], { CI: 'true' }, `${nobody} --template.`],
    [['a', 'node', '--tmplate'], {}, 'There is no option --tmplate. Did you mean --template?'],
    [['a', 'b', 'c'], {}, 'Only one folder can be named; b is too much.'],
    [['', '--template', 'node'], {}, 'The folder needs a name.'],
    [['a', 'node', '--name', 'A'], {}, '--name belongs to the template brand, not to node.'],
  ])('is refused with exit code 2, and nothing is written: %j', (words, environment, sentence) => {
    const { status, stdout, stderr } = run(words, environment)
    expect([status, stdout]).toStrictEqual([2, ''])
    expect(stderr).toContain(sentence)
    expect(readdirSync(folder)).toStrictEqual([])
  })

  it('refuses a folder that has files, and touches none', () => {
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full', 'mine.txt'), 'mine')
    const { status, stderr } = run(['full', 'node', '--no-install'])
    expect([status, stderr]).toStrictEqual([
      2,
      'The folder full is not empty: it has mine.txt. Name another one.\n',
    ])
    expect(readdirSync(join(folder, 'full'))).toStrictEqual(['mine.txt'])
  })

  it('takes an empty folder, a fresh clone and the folder it is started in', () => {
    mkdirSync(join(folder, 'clone', '.git'), { recursive: true })
    expect(run(['clone', 'node', '--no-install']).status).toBe(0)
    rmSync(join(folder, 'clone'), { recursive: true })
    const here = run(['.', 'node', '--no-install'])
    expect([here.status, here.stdout]).toStrictEqual([0, expect.not.stringContaining('cd ')])
    expect(readdirSync(folder)).toContain('package.json')
  })

  it('says which path cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    const { status, stderr } = run(['file/deep/er', 'node', '--no-install'])
    expect([status, stderr]).toStrictEqual([1, expect.stringMatching(/ENOTDIR/)])
    expect(readdirSync(folder)).toStrictEqual(['file'])
  })

  it('takes defaults with --yes, and prints the commands of the package manager', () => {
    const { status, stdout } = run(['--yes', '--no-install'], { npm_config_user_agent: 'pnpm/12.0.0 npm/?' })
    expect([status, stdout]).toStrictEqual([
      0,
      expect.stringContaining('cd my-node\n  pnpm install\n  pnpm dev'),
    ])
    expect(readdirSync(folder)).toStrictEqual(['my-node'])
  })

  it('lists, helps and names its version', () => {
    expect(run(['--list']).stdout).toMatch(/^ {2}node +a script that mines/)
    expect(run(['--help']).stdout).toContain('--template NAME')
    expect(run(['--version']).stdout).toMatch(/^create-hailstone \d+\.\d+\.\d+, node v/)
  })
})

it('a Node that cannot run TypeScript gets tsx, a newer one does not', () => {
  const template = {
    name: 'template',
    scripts: { dev: 'node src/dev.ts', build: 'vite build' },
    devDependencies: { tsx: '^4.0.0', typescript: '^7.0.0' },
  }
  expect(manifestFor(template, 'mine', '22.18.0')).toStrictEqual({
    ...template,
    name: 'mine',
    devDependencies: { typescript: '^7.0.0' },
  })
  expect(manifestFor(template, 'mine', '22.17.9')).toStrictEqual({
    name: 'mine',
    scripts: { dev: 'node --import tsx src/dev.ts', build: 'vite build' },
    devDependencies: { tsx: '^4.0.0', typescript: '^7.0.0' },
    allowScripts: { esbuild: false },
  })
})

/** The command on a terminal of its own. */
class Terminal {
  readonly #child: ChildProcess
  #shown = ''

  constructor(words: readonly string[]) {
    const { CI: _, npm_config_user_agent: __, ...env } = process.env
    const command = [process.execPath, bin, ...words].map((word) => `'${word}'`).join(' ')
    this.#child = spawn('script', ['-qec', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
      cwd: folder,
      env: { ...env, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child.stdout?.on('data', (chunk) => {
      this.#shown += stripVTControlCharacters(String(chunk))
    })
  }

  /** Waits for a question and types an answer. */
  async answer(question: string, keys: string): Promise<void> {
    await expect.poll(() => this.#shown).toContain(question)
    this.#child.stdin?.write(keys)
  }

  async end(): Promise<{ readonly code: number; readonly shown: string }> {
    const [code] = await once(this.#child, 'close')
    return { code: Number(code), shown: this.#shown }
  }
}

const CTRL_C = '\x03'
const ENTER = '\r'
const DOWN = '\x1b[B'

const questions = [
  ['Folder of the project', `asked${ENTER}`],
  ['Template', `${DOWN}${ENTER}`],
  ['Install the packages now (npm install)?', `n`],
  ['Begin a git repository?', `n`],
] as const

describe.runIf(spawnSync('script', ['--version']).status === 0)('on a terminal', () => {
  it('asks for what is missing, and makes the project', async () => {
    const terminal = new Terminal([])
    for (const [question, keys] of questions) await terminal.answer(question, keys)
    const { code, shown } = await terminal.end()
    expect([code, shown]).toStrictEqual([0, expect.stringContaining('asked is ready. Next:')])
    expect(JSON.parse(read('asked', 'package.json'))).toMatchObject({
      name: 'asked',
      scripts: { pay: expect.any(String) },
    })
  })

  it.each(questions.map(([question], at) => [question, at] as const))(
    'Ctrl-C at "%s" leaves nothing behind',
    async (question, at) => {
      const terminal = new Terminal([])
      for (const [earlier, keys] of questions.slice(0, at)) await terminal.answer(earlier, keys)
      await terminal.answer(question, CTRL_C)
      const { code, shown } = await terminal.end()
      expect([code, shown]).toStrictEqual([130, expect.stringContaining('Nothing was written.')])
      expect(readdirSync(folder)).toStrictEqual([])
    },
  )

  it('asks what a brand needs, once more after a wrong answer', async () => {
    const terminal = new Terminal(['acme', '--template', 'brand', '--no-install', '--no-git'])
    const answers = [
      ['Name of the app', `Acme${ENTER}`],
      ['Network (mainnet, testnet, devnet, custom', ENTER],
      ['Token hash, 64 hex digits [the coin of the network]', `xyz${ENTER}`],
      ['It should be 64 lower-case hex digits.', ENTER],
      ['Main colour [#3a6ea5]', `#ffe600${ENTER}`],
    ] as const
    for (const [question, keys] of answers) await terminal.answer(question, keys)
    const { code, shown } = await terminal.end()
    expect([code, shown]).toStrictEqual([0, expect.stringContaining('acme is ready. Next:')])
    expect(read('acme', 'brand.ts')).toContain("hash: '0000")
    expect(read('acme', 'brand.ts')).toContain("primary: '#ffe600',\n    contrast: 'fix',")
  })

  it('writes nothing of a brand that is not answered to its end', async () => {
    const terminal = new Terminal(['--template', 'brand'])
    await terminal.answer('Folder of the project', ENTER)
    await terminal.answer('Name of the app', `Acme${ENTER}`)
    await terminal.answer('Network', CTRL_C)
    expect((await terminal.end()).code).toBe(130)
    expect(readdirSync(folder)).toStrictEqual([])
  })

  it('says at once that a folder is not empty, and asks for another', async () => {
    writeFileSync(join(folder, 'file'), '')
    const terminal = new Terminal(['--template', 'node', '--no-install', '--no-git'])
    await terminal.answer('Folder of the project', `.${ENTER}`)
    await terminal.answer('The folder . is not empty: it has file.', `\x7f${'other'}${ENTER}`)
    expect((await terminal.end()).code).toBe(0)
    expect(readdirSync(folder).toSorted()).toStrictEqual(['file', 'other'])
  })

  it('asks nothing with --yes', async () => {
    const terminal = new Terminal(['quiet', '--yes', '--no-install'])
    expect((await terminal.end()).code).toBe(0)
    expect(readdirSync(folder)).toStrictEqual(['quiet'])
  })
})

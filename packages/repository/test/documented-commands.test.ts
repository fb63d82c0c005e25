import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFiles } from '../../brand/src/command/project-files.ts'
import { commandsIn, type DocumentCommand, readDocument, root, savedFilesIn } from './document-commands.ts'

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))

/** The one page with commands that need the packages from a registry. */
const PUBLISHED = 'docs/published-packages.md'

const readmes = tracked('README.md', 'packages/*/README.md', 'apps/*/README.md')
const documents = [
  ...readmes,
  ...tracked('SUPPORT.md', 'docs/**/*.md', 'packages/**/*.md', 'apps/**/*.md', '.github/ISSUE_TEMPLATE/*'),
].filter((path, at, all) => path !== PUBLISHED && all.indexOf(path) === at)

describe('no command fetches a package of ours', () => {
  const OURS = '(?:@hailstone/[\\w-]+|(?:create-)?hailstone(?:-\\w+)?)(?:@[\\w.]+)?(?=[\\s"\'`.,;:)]|$)'
  /** `npx --no` runs what is installed, and fetches nothing. */
  const FETCHES = [
    /\bnpm (?:create|init) (?:@?hailstone)/,
    new RegExp(
      `\\b(?:npx|bunx|pnpx|pnpm dlx|yarn dlx|npm exec|(?:pnpm|yarn|bun) create) (?!--no )(?:-\\S+ )*${OURS}`,
    ),
    new RegExp(
      `\\b(?:npm (?:install|i|add)|pnpm (?:install|i|add)|yarn add|bun (?:add|install)) (?:\\S+ )*?${OURS}`,
    ),
  ]
  const fetches = (text: string): boolean => FETCHES.some((pattern) => pattern.test(text))

  /** Commands that people copy: lines of blocks, and code in sentences, which may be broken over two lines. */
  function copiedFrom(path: string): readonly string[] {
    const text = readDocument(path)
    const prose = text.replace(/^```[\s\S]*?^```/gm, '')
    const spans = [...prose.matchAll(/`([^`]+)`|<code>([^<]+)</g)].map(([, one, other]) => one ?? other ?? '')
    return [...spans.map((span) => span.replaceAll(/\s+/g, ' ')), ...text.split('\n')]
  }

  it.each([
    'npm create hailstone@latest my-miner -- --template node',
    'npx hailstone-network --block-time 2s',
    'npx --yes hailstone mine',
    'npx @hailstone/brand',
    'npm install @hailstone/mining-node @hailstone/client',
    'npm install --save-dev jest @hailstone/client',
    'npm install --global --prefix /usr hailstone',
    'pnpm add @hailstone/client',
  ])('finds %s', (line) => expect(fetches(line)).toBe(true))

  it.each([
    'npx --no hailstone-brand check',
    'npm install',
    'npm install /clone/packed/hailstone-client-0.1.0.tgz',
    'npm run hailstone -- mine',
    'npx vitest run',
  ])('leaves %s', (line) => expect(fetches(line)).toBe(false))

  it.each(documents)('%s', (path) => expect(copiedFrom(path).filter(fetches)).toStrictEqual([]))

  it('in a message or a file that a program writes', () => {
    const sources = tracked('packages/*/src', 'packages/*/templates', 'apps/*').filter(
      (path) => /\.(?:tsx?|m?js|json|html)$/.test(path) && !/\.test\.\w+$|\/test\//.test(path),
    )
    const found = sources.flatMap((path) =>
      readDocument(path)
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && fetches(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
    expect(found).toStrictEqual([])
    expect(sources.length).toBeGreaterThan(500)
  })

  it('but on the page that says what is once they are published', () => {
    expect(copiedFrom(PUBLISHED).filter(fetches).length).toBeGreaterThan(4)
    expect(readDocument(PUBLISHED)).toMatch(
      /\*\*The packages are not published yet\.\*\*[\s\S]*\| In a clone \|/,
    )
    expect(readDocument('README.md')).toContain(`](${PUBLISHED})`)
  })
})

describe('a command of a document exists', () => {
  const scriptsOf = (folder: string): readonly string[] => {
    const path = join(folder, 'package.json')
    if (!existsSync(join(root, path))) return []
    const { scripts = {} } = JSON.parse(readDocument(path)) as { readonly scripts?: object }
    return Object.keys(scripts)
  }
  const brandManifest = (): string => {
    const answers = { id: 'a', name: 'A', network: 'devnet' } as Parameters<typeof projectFiles>[0]
    return new TextDecoder().decode(projectFiles(answers, '0.0.0').get('package.json'))
  }
  const scriptsOfTemplate = (name: string): readonly string[] =>
    name === 'brand'
      ? Object.keys(JSON.parse(brandManifest()).scripts)
      : scriptsOf(`packages/create-hailstone/templates/${name}`)

  const BUILT_IN = ['install', 'test', 'start', 'update', 'init']
  /** Programs of ours, which pages about services name as they are installed. */
  const BINS = ['hailstone', 'hailstone-brand', 'hailstone-network', 'hailstone-indexer']

  /** Returns why a command cannot be run; undefined if it can, or if it is no command of npm, Node or ours. */
  function faultIn({ path, command }: DocumentCommand, all: readonly DocumentCommand[]): string | undefined {
    const created = all.flatMap((one) => /npm run create -- .*--template (\w+)/.exec(one.command)?.[1] ?? [])
    const scripts = [...scriptsOf('.'), ...scriptsOf(dirname(path)), ...created.flatMap(scriptsOfTemplate)]
    const text = readDocument(path)
    const saved = savedFilesIn(text)
    // Recipes name a file before the block that shows it.
    const isShown = (file: string): boolean => saved.has(file) || text.includes(`\`${file}\``)
    for (const part of command.split(/ && |; /)) {
      const [program = '', ...words] = part.replace(/^(?:\w+=\S* )+/, '').split(/\s+/)
      if (program === 'npm') {
        const [kind = '', script = ''] = words
        if (kind === 'run' ? !scripts.includes(script) : !BUILT_IN.includes(kind)) return `no ${part}`
        if (['start', 'test'].includes(kind) && !scripts.includes(kind)) return `no script ${kind}`
      }
      if (program === 'node') {
        const file = words.find((word) => /\.(?:m?js|ts)$/.test(word))
        const isThere = [file, join(dirname(path), file ?? '')].some(
          (one) => one !== undefined && existsSync(join(root, one)),
        )
        if (file !== undefined && !isThere && !isShown(file)) return `no file ${file}`
      }
      if (program.startsWith('hailstone') && !BINS.includes(program)) return `no program ${program}`
    }
    return undefined
  }

  const pages = [...documents, PUBLISHED].filter((path) => path.endsWith('.md'))
  it.each(pages)('%s', (path) => {
    const commands = commandsIn(path)
    const faults = commands.flatMap((one) => {
      const fault = faultIn(one, commands)
      return fault === undefined ? [] : [`${path}:${one.line} ${one.command}: ${fault}`]
    })
    expect(faults).toStrictEqual([])
  })

  it.each([
    'npm run nothing',
    'npm publish',
    'cd x && npm run nothing',
    'node nothing.mjs',
    'hailstone-mine',
  ])('not %s', (command) => {
    const one = { path: 'README.md', line: 1, command, stays: false }
    expect(faultIn(one, [one])).toBeDefined()
  })

  it('on enough pages, with each way to begin', () => {
    const commands = pages.flatMap((path) => commandsIn(path)).map(({ command }) => command)
    expect(commands.length).toBeGreaterThan(60)
    for (const wanted of ['npm start', 'npm test', 'npm run network', 'node apps/sample/mine.mjs'])
      expect(commands).toContain(wanted)
  })
})

describe('blocks of commands', () => {
  const text = [
    '# Title',
    'Leave `npm start` running.',
    '```',
    'npm start',
    '```',
    '## More',
    '```sh',
    'npm run pack   # prints a line',
    'npm run network -- \\',
    '  --block-time 2s  # in another terminal',
    '# a comment',
    'npm test',
    '```',
    'It goes on until Ctrl-C. Save this as `a.mjs`:',
    '```ts',
    'code()',
    '```',
  ].join('\n')

  it('are read line by line, with what the page says about their end', () => {
    expect(
      commandsIn('README.md', text).map(({ line, command, stays }) => [line, command, stays]),
    ).toStrictEqual([
      [4, 'npm start', true],
      [8, 'npm run pack', false],
      [9, 'npm run network -- --block-time 2s', true],
      [12, 'npm test', true],
    ])
    expect([...savedFilesIn(text)]).toStrictEqual([['a.mjs', 'code()\n']])
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandLineError } from '@hailstone/runtime/node'
import { describe, expect, it } from 'vitest'
// @ts-expect-error -- this program has its types in comments, which only its own package reads
import { readOptions } from '../../../apps/demo/src/options.mjs'
import { commandOptions, readWords } from '../../brand/src/command/command-options.ts'
import { readOptions as readCreateOptions } from '../../create-hailstone/src/read-options.ts'
import { flagOf, parseCommandLine } from '../../hailstone/src/command-line.ts'
import { commands } from '../../hailstone/src/commands.ts'
import { commandOf } from '../../local-network/src/command/command-of.ts'
import { HELP, parseFlags } from '../../local-network/src/command/parse-flags.ts'
import { parseTokenFlags, TOKEN_HELP } from '../../local-network/src/command/token/parse-token-flags.ts'
import { filesBelow, linesOf, type Text, textsIn } from './support/texts.ts'
import { packageNameOf, published, root } from './support/workspace.ts'

const CODE = /\.(?:ts|tsx|mjs)$/
const read = (folders: readonly string[]): readonly Text[] =>
  folders.flatMap((folder) => filesBelow(folder, CODE)).flatMap(textsIn)

const inHailstone = read(['packages/hailstone/src'])
const inBrand = read(['packages/brand/src'])
const inDemo = read(['apps/demo/src'])
const inNetwork = read(['packages/local-network/src/command'])
const inApp = read(['apps/white-label/src', 'apps/white-label/tools'])
const inLibraries = read([
  ...['runtime', 'protocol', 'client', 'mining-node', 'react'].map((name) => `packages/${name}/src`),
  'packages/local-network/src/http',
  'packages/simulator/src',
])
const inDocuments = [
  ...['README.md', 'CONTRIBUTING.md', 'docs/gates.md', 'SECURITY.md', 'ARCHITECTURE.md'],
  ...filesBelow('docs', /\.md$/),
  ...filesBelow('packages', /\.md$/),
  ...filesBelow('apps', /\.md$/),
].flatMap(linesOf)

const where = ({ path, line, text }: Text): string => `${path}:${line}: ${text.trim().slice(0, 160)}`

/** A call of a command in a text, and the file it stands in. */
type Call = { readonly call: string; readonly text: Text }

const START = `(?:npx |npm run )?(?:hailstone-network|hailstone-brand|hailstone|brand) [a-z-]|npm (?:start|run )`
const inBackticks = new RegExp(`\`((?:${START})[^\`]*)\``, 'g')
const aloneInLine = new RegExp(`^\\s*(?:\\$ )?((?:${START}).*?)\\\\?$`)
/** In a sentence without backticks, as usage texts have it. */
const withOptions = /(?:^|[\s(])((?:npx|npm (?:start|run)) [^`.\n]*? --[a-z].*)$/m

function callsIn(text: Text): readonly Call[] {
  const spans = [...text.text.matchAll(inBackticks)].map(([, call = '']) => call)
  const { path, isCode = !path.endsWith('.md') } = text
  const alone = isCode ? (path.endsWith('.md') ? aloneInLine : withOptions).exec(text.text)?.[1] : undefined
  return [...spans, ...(alone === undefined ? [] : [alone])]
    .flatMap((call) => call.split(/&&|; /))
    .map((call) => ({ call: call.trim(), text }))
}

/** Words of a call without what explains it: comments, columns, pipes, and the full stop of the sentence. */
const wordsOf = (call: string): readonly string[] =>
  (call.split(/\s#|\s\||\s{2,}|…/)[0] ?? '')
    .replace(/\[[^\]]*\]|<[^>]*>/g, 'X')
    .replace(/["']([^"']*)["']/g, (_, quoted: string) => quoted.replaceAll(' ', '_') || 'X')
    .replace(/[.,:;)]+$/, '')
    .split(/\s+/)
    .filter((word) => word !== '')

const scriptsOf = (folder: string): readonly string[] => {
  const path = join(root, folder, 'package.json')
  if (!existsSync(path)) return []
  const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as { readonly scripts?: object }
  return Object.keys(scripts)
}
/** Scripts of the project that a build for Android or iOS is, as `tools/native-files.ts` writes them. */
const NATIVE_SCRIPTS = ['create', 'brand', 'sync', 'open']
/** Scripts of a partner's folder, as `command/project-files.ts` writes them. */
const PARTNER_SCRIPTS = ['preview', 'check', 'build', 'brand']
const isForPartners = ({ path }: Text): boolean => /^(?:packages\/brand|apps\/white-label)\//.test(path)
const isNative = ({ path }: Text): boolean => /white-label\/(?:tools\/native|NATIVE\.md)/.test(path)

/** Fails if a command, a subcommand or an option does not exist. */
function assertExists(words: readonly string[], text: Text): void {
  const [program, ...rest] = words
  if (program === 'npx') assertExists(rest, text)
  if (program === 'npm') assertNpm(rest, text)
  if (program === 'hailstone') parseCommandLine(rest.length === 0 ? ['--help'] : rest, 'version')
  if (program === 'brand') throw new Error('the command is called hailstone-brand')
  if (program === 'hailstone-brand') {
    const name = Object.keys(commandOptions).find((one) => one === rest[0])
    if (rest[0] === 'help' || rest[0] === '--version') return
    if (name === undefined) throw new Error(`hailstone-brand has no command ${rest[0]}`)
    readWords(name as keyof typeof commandOptions, rest.slice(1))
  }
  if (program === 'hailstone-network') assertNetworkCall(rest)
}

function assertNpm([kind, script = '', separator, ...rest]: readonly string[], text: Text): void {
  if (kind === 'start') {
    // The separator stands in place of a script's name.
    if (script === '--') readOptions([separator, ...rest].filter((word) => word !== undefined))
    return
  }
  // A row of a table may be about a package.
  const packages = [
    text.path.split('/').slice(0, 2).join('/'),
    dirname(text.path),
    ...(text.text.match(/packages\/[\w-]+/g) ?? []),
  ]
  const known = ['.', ...packages].flatMap(scriptsOf)
  if (isForPartners(text)) known.push(...PARTNER_SCRIPTS)
  if (isNative(text)) known.push(...NATIVE_SCRIPTS)
  if (/packages\/create-hailstone\//.test(text.path)) known.push('dev', 'preview')
  if (!known.includes(script)) throw new Error(`there is no script ${script}`)
  if (separator !== '--' || rest.length === 0) return
  if (script === 'hailstone') assertExists([script, ...rest], text)
  if (script === 'brand') assertExists(['hailstone-brand', ...rest], text)
  if (script === 'network') assertExists(['hailstone-network', ...rest], text)
  if (script === 'network') assertNetworkCall(rest)
  if (script === 'create') readCreateOptions(rest)
  if (script === 'pack') assertPacked(rest)
}

/** Names of packages; a folder follows `--out`. */
function assertPacked(words: readonly string[]): void {
  const names: readonly string[] = published.map(packageNameOf)
  const unknown = words.find(
    (word, at) => word !== '--out' && words[at - 1] !== '--out' && !names.includes(word),
  )
  if (unknown !== undefined) throw new Error(`there is no package ${unknown}`)
}

function assertNetworkCall(words: readonly string[]): void {
  const { command, rest } = commandOf(words)
  if (command === 'openapi') return
  try {
    if (command === 'token') parseTokenFlags(rest)
    else parseFlags(rest)
  } catch (error) {
    // Values such as names of files are only examples: what the system says of them is no fault of the text.
    if (error instanceof CommandLineError && error.cause === undefined) throw error
  }
}

/** Well-known tools that recipes and documents for contributors run. */
const KNOWN_TOOLS = ['next', 'sirv-cli', 'vite', 'vitest']

describe('a command that a text names', () => {
  const texts = [
    ...[inHailstone, inBrand, inDemo, inNetwork, inApp, inLibraries, inDocuments].flat(),
    ...textsIn('scripts/run.mjs'),
  ]
  const calls = texts.flatMap(callsIn)

  it('exists, with its subcommand and its options', () => {
    const wrong = calls.flatMap(({ call, text }) => {
      try {
        assertExists(wordsOf(call), text)
        return []
      } catch (error) {
        return [`${where(text)}\n  ${call}: ${String(error)}`]
      }
    })
    expect(wrong).toStrictEqual([])
  })

  it('is a well-known tool where npx runs it: another name would run what a stranger published', () => {
    const names = texts
      .filter(({ path }) => path !== 'docs/published-packages.md')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?:^\s*|[`(])npx (?:--yes |-y )?(@?[a-z][\w/-]*)/gm)].map(([, name = '']) => ({
          path,
          name,
        })),
      )
    expect(names.filter(({ name }) => !KNOWN_TOOLS.includes(name))).toStrictEqual([])
    expect(names.length).toBeGreaterThan(3)
  })

  it('is found wherever it stands', () => {
    const found = calls.map(({ call }) => call)
    expect(found).toContain('hailstone send --resume')
    expect(found).toContain('hailstone-brand check X --online')
    expect(found).toContain('hailstone doctor')
    expect(found).toContain('npm start -- --reset')
    expect(found.length).toBeGreaterThan(150)
  })

  it.each([
    'hailstone mien --network bit',
    'hailstone send --rezume',
    'hailstone-brand chekc x',
    'hailstone-brand check x --logo y',
    'brand check x',
    'npm run brand -- check x --fast',
    'npm run nothing',
    'npm run create -- my-miner --tmplate node',
    'npm run pack -- @hailstone/miner',
    'npm start -- --prot 0',
    'hailstone-network --prot 0',
    'hailstone-network opnapi',
    'hailstone-network token burn --price 5',
  ])('is refused if it is %s', (call) => {
    expect(() => assertExists(wordsOf(call), { path: 'README.md', line: 1, text: call })).toThrow()
  })
})

describe('an option that a text of a command names', () => {
  const ofHailstone = Object.values(commands).flatMap(({ options }) => Object.keys(options).map(flagOf))
  const ofBrand = Object.values(commandOptions).flatMap((names) => names.map((name) => `--${name}`))
  const inHelp = (help: string): readonly string[] => help.match(/--[a-z][a-z-]+/g) ?? []
  const ofDemo = inHelp(inDemo.find(({ text }) => text.startsWith('Usage: npm start'))?.text ?? '')
  /** The brand's command names that of the local network, which creates a token. */
  const ofNetwork = ({ path }: { readonly path: string }): boolean =>
    /\/online\/(?:create-token|token-wish)\./.test(path)
  it.each([
    ['hailstone', inHailstone, ofHailstone],
    [
      'brand',
      inBrand.filter(
        ({ path }) => /\/(?:command|findings|online|build|files)\//.test(path) && !ofNetwork({ path }),
      ),
      ofBrand,
    ],
    [
      'the local network',
      [...inNetwork, ...inBrand.filter(ofNetwork)],
      [...inHelp(HELP), ...inHelp(TOKEN_HELP)],
    ],
    ['the demo', inDemo, ofDemo],
  ])('exists: %s', (_, texts, own) => {
    const known = new Set([...own, '--help', '--version'])
    const wrong = texts.filter(({ text }) => inHelp(text).some((name) => !known.has(name)))
    expect(wrong.map(where)).toStrictEqual([])
    expect(known.size).toBeGreaterThan(8)
  })
})

describe('point 14: a text for the people who use an app or a command', () => {
  /** `name(…)`, as nobody but a program can do it. */
  const FUNCTION_CALL = /[A-Za-z_$][\w$]*\([^()\s]*(?:, ?[^()\s]+)*\)/
  /** Messages for programs only, which passed a value of the wrong type; a function of a shell; functions of CSS. */
  const FOR_PROGRAMS = [
    /mining-node\/src\/events\/assert-source\.ts.*a mining node, of createMiningNode\(\)/,
    /client\/src\/wallet\/encrypt-wallet\.ts.*a wallet, of createWallet\(\)/,
    /local-network\/src\/control\/create-control\.ts.*a bigint of units, such as 25n or parseAmount/,
    /client\/src\/name-checks\.ts.*a bigint, such as 25n or parseAmount/,
    /mining-node\/src\/check-arguments\.ts.*a wallet, of createWallet\(\)/,
    /client\/src\/actions\/send-(?:signed-)?transaction\.ts.*a (?:wallet|signed transaction), of /,
    /(?:client\/src\/diagnostics|runtime\/src\/wrong-setting|payments\/order)\.ts.*a bigint, such as 25n or parseAmount\('25', token\)/,
    /protocol\/src\/errors\/facts\.ts.*a bigint of X, such as 25n or parseAmount\('25', token\)/,
    /hailstone\/src\/completion\.ts.*_hailstone\(\)/,
    /findings\/look-codes\.ts.*Remove braces, url\(\), expression\(\)/,
    /brand\/src\/hosts\/s3\.ts.*Runtime cloudfront-js/,
    /brand\/src\/(?:assets\/compose|theme\/theme-css)\.ts.*url\(/,
    /protocol\/src\/reference\//,
    /local-network\/src\/http\/reference\//,
  ]
  const words = filesBelow('apps/white-label/src/i18n', /\.json$/).flatMap(linesOf)

  it('asks for no function call', () => {
    const texts = [inHailstone, inBrand, inDemo, inNetwork, inLibraries, words].flat()
    const sentences = texts.filter(({ text }) => /\s/.test(text) && FUNCTION_CALL.test(text))
    const wrong = sentences.map(where).filter((text) => !FOR_PROGRAMS.some((known) => known.test(text)))
    expect(wrong).toStrictEqual([])
    expect(texts.length).toBeGreaterThan(5_000)
  })

  it('does not send whoever named an unknown token to their stake', () => {
    const unknown = /(?:no|not know the|unknown) (?:such )?token/i
    const texts = [inHailstone, inBrand, inDemo, inLibraries].flat()
    const reported = texts.filter(({ text }) => unknown.test(text))
    expect(reported.length).toBeGreaterThan(3)
    expect(reported.filter(({ text }) => /your stake/i.test(text)).map(where)).toStrictEqual([])
  })
})

// The tests of every package, in one run: `vitest run` here takes all of them, in the folder of a package its own.
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { failedTests } from './scripts/failed-tests.ts'
import { LongestFirst } from './scripts/longest-first.ts'
import { tier } from './scripts/tier.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Resolves workspace packages to their sources. */
const ofSources = ['@hailstone/source', 'module', 'node', 'development|production']
/** Resolves them to what was built, as their users do, so that no source is compiled for each package that imports it. */
const ofBuilt = ofSources.slice(1)
/** `npm test` and the gates build first. */
const conditions = process.env.HAILSTONE_BUILT_PACKAGES === '1' ? ofBuilt : ofSources

/**
 * Every process of a test run, programs that tests start included, is compiled for lives of seconds: the embedded database
 * once, without V8's second compiler, and other code by that one later than usual.
 */
const flags = "['--liftoff-only','--interrupt-budget=400000']"
const quickStart = `import{setFlagsFromString}from'node:v8';${flags}.forEach(flag=>setFlagsFromString(flag))`
const given = process.env.NODE_OPTIONS ?? ''
if (!given.includes(quickStart))
  process.env.NODE_OPTIONS = `${given} --import=data:text/javascript,${quickStart}`

/** A file runs in one tier, and its name says in which: `x.test.ts`, `x.gate.test.ts`, `x.browser.test.ts`, `x.night.test.ts`. */
const ending = '.test.{ts,tsx}'
const LATER = [`**/*.gate${ending}`, `**/*.browser${ending}`, `**/*.night${ending}`]
const files = {
  test: { include: [`**/*${ending}`], exclude: LATER },
  gates: { include: LATER.slice(0, 2), exclude: [] },
  /** All at the sizes of the night. */
  night: { include: [`**/*${ending}`], exclude: [] },
}[tier ?? 'night']

/**
 * Limits that end a test that hangs, in ms. They say nothing about how fast the tested code is: a machine that is
 * twenty times as busy has to stay below them.
 */
const limits = {
  // Times that a test that failed is run again; each is printed with its error after the last line.
  retry: Number(process.env.HAILSTONE_RETRIES ?? 0),
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
}

const setupFiles = [
  'own-folder.ts',
  'fixed-seed.ts',
  'connect-again.ts',
  'native-token-of-file.ts',
  'cost-of-file.ts',
].map((file) => join(root, 'scripts', file))

/** Settings of single packages, merged over the common ones; by folder. */
const own: Readonly<Record<string, TestProjectInlineConfiguration>> = {
  'packages/local-network': { test: { env: { HAILSTONE_VALIDATE_ANSWERS: '1' } } },
  'packages/conformance': { test: { env: { HAILSTONE_VALIDATE_ANSWERS: '1' } } },
  'packages/client': { test: { setupFiles: ['test/support/watch-output.ts'] } },
  'packages/mining-node': {
    // The journeys of the night count the modules of every package.
    ...(tier === 'night' ? { ssr: { resolve: { conditions: ofSources } } } : {}),
    // The example of the README names the package itself.
    resolve: { alias: { '@hailstone/mining-node': join(root, 'packages/mining-node/src/node.ts') } },
  },
  'packages/published': { test: { globalSetup: ['test/support/pack-all.ts'] } },
  // A recipe installs packages, and the site is built.
  'apps/docs': { test: { hookTimeout: 2_400_000 } },
  // Unit tests see what the packages with the service have.
  'apps/white-label': { define: { APP_MINES: 'true', APP_HAS_SERVICE: 'true' } },
}

/** Their files change what another one imports, or count what lives in a process. */
const isolated: ReadonlySet<string> = new Set(['packages/published', 'packages/react', 'apps/demo'])
const isolatedLater: ReadonlySet<string> = new Set([
  'packages/client',
  'packages/mining-node',
  'packages/repository',
  'packages/runtime',
  'apps/console',
  'apps/docs',
])

const react = { find: '@hailstone/react', replacement: join(root, 'packages/react/src/index.ts') }
const preact = [
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react$/, replacement: 'preact/compat' },
]

function projectOf(folder: string): TestProjectInlineConfiguration {
  const common: TestProjectInlineConfiguration = {
    root: join(root, folder),
    ssr: own[folder]?.ssr ?? { resolve: { conditions } },
    test: {
      name: folder.slice(folder.indexOf('/') + 1),
      include: files.include.flatMap((name) => ['src', 'test', 'tools'].map((part) => `${part}/${name}`)),
      exclude: ['**/node_modules/**', '**/dist/**', ...files.exclude],
      environment: 'node',
      isolate: isolated.has(folder) || (tier !== undefined && tier !== 'test' && isolatedLater.has(folder)),
      server: { deps: { external: [/\/(?:packages|apps)\/[^/]+\/dist\//] } },
      setupFiles,
      env: { HAILSTONE_TESTED_FOLDER: join(root, folder) },
      ...limits,
    },
  }
  const { ssr: _, ...rest } = own[folder] ?? {}
  return mergeConfig(common, rest)
}

/** The hooks run in React and in Preact, where the gates of the app send payments. */
const projectsOf = (folder: string): readonly TestProjectInlineConfiguration[] =>
  folder === 'packages/react'
    ? [
        mergeConfig(projectOf(folder), { resolve: { conditions, alias: [react] } }),
        mergeConfig(projectOf(folder), {
          resolve: { conditions, alias: [react, ...preact] },
          test: {
            name: 'preact',
            exclude: ['src/**', ...(tier === 'night' ? [] : ['**/send.test.tsx'])],
          },
        }),
      ]
    : [projectOf(folder)]

/** The folder of a package in which the command was called, such as `packages/client`; undefined above them. */
const [kind, name] = relative(root, process.cwd()).split(sep)
const calledIn = name === undefined || kind === '..' ? undefined : `${kind}/${name}`

const folders = ['packages', 'apps']
  .flatMap((part) => readdirSync(join(root, part)).map((each) => `${part}/${each}`))
  .filter((folder) => ['src', 'test', 'tools'].some((part) => existsSync(join(root, folder, part))))
  .filter((folder) => calledIn === undefined || folder === calledIn)

export default defineConfig({
  root,
  test: {
    projects: folders.flatMap(projectsOf),
    reporters: ['default', failedTests],
    // More than cores: files wait for blocks, browsers and children half of their time. Gates start programs of their own.
    maxWorkers: availableParallelism() + (tier === 'test' ? 2 : 1),
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 60_000,
    passWithNoTests: true,
  },
})

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { licences } from './licences.ts'
import { dictionaryFolders, requireCompleteLanguages } from './src/i18n/complete-languages.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** Replaces React with Preact: 41.6 kB instead of 98.9 kB with the same components (measured, gzip). */
const preact = [
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react$/, replacement: 'preact/compat' },
]

/** Stops the build if a language misses a text. */
const languages: Plugin = {
  name: 'complete-languages',
  buildStart: async () => {
    for (const folder of dictionaryFolders) await requireCompleteLanguages(folder)
  },
}

/** Modules that must not be in builds for stores that refuse mining: sessions, beacons, gateway sockets. */
const MINES = /\/mining-node\/src\/(?:session|web)\/|\/protocol\/src\/messages\//

/** Replaces the signatures for mining. */
const refused = {
  find: /^\.\/mining-signatures\.ts$/,
  replacement: fileURLToPath(new URL('src/engine/no-mining-signatures.ts', import.meta.url)),
}

/** Preact, the helper that loads parts, and what all views share. */
const BASE =
  /preload-helper|\/preact\/|\/src\/app\/(?:app-context|consent|use-asker|use-mode)\.ts$|\/src\/parts\/(?:splash|brand-logo|loading|waiting)\.tsx$/

/**
 * Names the files to ask for together with a part that is loaded later. Views of the opened app name their styles alone:
 * the service worker has the other files, and their names were 0.9 kB of what everybody loads who comes back.
 */
const namedParts = (_: string, files: string[], { hostId }: { readonly hostId: string }): string[] =>
  hostId.includes('opened-') ? files.filter((file) => file.endsWith('.css')) : files

const mustNotMine = (): Plugin => ({
  name: 'must-not-mine',
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type !== 'chunk') continue
      const found = Object.entries(part.modules).find(
        ([name, { renderedLength }]) => renderedLength > 0 && MINES.test(name),
      )
      if (found !== undefined) this.error(`The wallet must not mine, and has ${found[0]}.`)
    }
  },
})

/**
 * `--mode wallet` builds the shell for brands that do not mine, without the code for it; `--mode android` the one for
 * packages that mine with the screen off, which alone has the page of the service and what belongs to it.
 */
export default defineConfig(({ mode }) => {
  const isWallet = mode === 'wallet'
  const hasService = mode === 'android'
  const gates = isWallet ? [mustNotMine()] : []
  const { collect, emit } = licences()
  return {
    plugins: [languages, ...gates, collect(), emit()],
    define: {
      APP_VERSION: JSON.stringify(version),
      APP_MINES: String(!isWallet),
      APP_HAS_SERVICE: String(hasService),
    },
    resolve: {
      alias: isWallet ? [...preact, refused] : preact,
      conditions: ['@hailstone/source', ...defaultClientConditions],
    },
    worker: { format: 'es', plugins: () => [...gates, collect()] },
    build: {
      target: 'es2022',
      outDir: isWallet ? 'dist/wallet' : hasService ? 'dist/android' : 'dist/mining',
      // File names carry content hashes, or caches would keep old code. Source maps are not served.
      sourcemap: false,
      modulePreload: { polyfill: false, resolveDependencies: namedParts },
      rolldownOptions: {
        // Libraries mark their components as client code; all of this is.
        onLog: (level, log, handle) =>
          log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log),
        input: {
          app: 'index.html',
          'service-worker': 'src/pwa/service-worker.ts',
          ...(hasService ? { miner: 'miner.html' } : {}),
        },
        output: {
          // One file of what every page begins with: each file more costs its imports and a dictionary of the compression.
          codeSplitting: { groups: [{ name: 'base', test: BASE }] },
          // Names of files are most of what no compression makes smaller.
          chunkFileNames: 'assets/[name]-[hash:7].js',
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  }
})

import { readFileSync } from 'node:fs'
import { build } from 'rolldown'

/**
 * Writes what Node loads of the package in this folder, in few files: finding and reading some 240 small ones was most
 * of what an import cost there. Bundlers get the modules one by one, as `tsc` writes them, and leave out what a page
 * does not use.
 *
 * Begins with each entry that has a `node` condition, and each thread. All come from one build, so that they share their
 * modules, and lie in one folder, so that a thread is found beside whatever file starts it.
 */
const { exports, dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const source = '@hailstone/source'

/** Each `default` of an entry, or the entry itself where it is the same on every platform. */
const conditions = Object.values(exports).map((entry) => (entry.default?.node ? entry.default : entry))
const entries = conditions.filter(({ node }) => node !== undefined)
const nameOf = (path) => path.replace(/^.*\/|\.js$/g, '')

/** A thread is started by the address of a file beside its starter's, whose name ends so. */
const threads = {
  name: 'threads',
  transform: {
    filter: { code: "-worker.js'" },
    async handler(code, id) {
      for (const [, name] of code.matchAll(/'\.\/([a-z-]+-worker)\.js'/g)) {
        const { id: thread } = await this.resolve(`./${name}.ts`, id)
        this.emitFile({ type: 'chunk', id: thread, fileName: `${name}.js` })
      }
    },
  },
}

await build({
  input: Object.fromEntries(entries.map((entry) => [nameOf(entry.node), entry[source]])),
  platform: 'node',
  logLevel: 'warn',
  external: Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`)),
  resolve: { conditionNames: [source] },
  transform: { target: 'es2022' },
  plugins: [threads],
  output: {
    dir: 'dist/bundle',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { legal: true, annotation: true, jsdoc: false },
    minifyInternalExports: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    // What the first entry needs is one file; what only others need, or what is loaded later, is not in it.
    codeSplitting: { groups: [{ name: 'main', test: (id) => id.endsWith(entries[0][source].slice(1)) }] },
  },
})

// Prints the import map of a page: `node import-map.mjs @hailstone/mining-node > import-map.json`.
// A browser reads no package.json, so the map says what each name of a package, and of its own files, stands for.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

const conditions = ['browser', 'import', 'module', 'default']

/** The file that a browser gets of an entry. */
function fileOf(entry) {
  if (typeof entry === 'string' || entry === null || entry === undefined) return entry ?? undefined
  if (Array.isArray(entry)) return fileOf(entry[0])
  const condition = Object.keys(entry).find((name) => conditions.includes(name))
  return condition === undefined ? undefined : fileOf(entry[condition])
}

// Its module imports a file in CommonJS, which no browser reads; this file of it is a module throughout.
const instead = { eventemitter3: '/node_modules/eventemitter3/dist/eventemitter3.esm.js' }

const map = { imports: {}, scopes: {} }
const done = new Set()

function add(name, from) {
  if (done.has(name)) return
  done.add(name)
  // Where an installer put it: beside the one that asks, or further up.
  let folder = from
  while (!existsSync(join(folder, 'node_modules', name))) {
    if (folder === dirname(folder)) return
    folder = dirname(folder)
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  const {
    exports = manifest.module ?? manifest.main ?? 'index.js',
    imports = {},
    dependencies = {},
  } = manifest
  const url = `/node_modules/${name}/`
  const hasEntries = typeof exports === 'object' && Object.keys(exports).every((name) => name.startsWith('.'))
  const entries = hasEntries ? exports : { '.': exports }
  for (const [entry, value] of Object.entries(entries)) {
    const file = fileOf(value)
    if (file?.endsWith('js') && !entry.includes('*'))
      map.imports[join(name, entry)] = url + file.replace(/^\.\//, '')
  }
  for (const [own, value] of Object.entries(imports)) {
    map.scopes[url] = { ...map.scopes[url], [own]: url + fileOf(value).replace(/^\.\//, '') }
  }
  const real = realpathSync(join(folder, 'node_modules', name))
  for (const dependency of Object.keys(dependencies)) add(dependency, real)
}

for (const name of process.argv.slice(2)) add(name, process.cwd())
Object.assign(map.imports, instead)
console.log(JSON.stringify(map, null, 2))

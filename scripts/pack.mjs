// `npm run pack`: builds and packs every package that is published, and prints the line that installs them elsewhere.
//   -- --out FOLDER                      packs into this folder instead of `packed`
//   -- @hailstone/react @hailstone/…     prints the line for these packages and what they depend on
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build, install, root } from './bootstrap.mjs'
import { placeOf, publishedFolders } from './project.mjs'

/** Folder of the archives, unless another is named. */
export const packedFolder = join(root, 'packed')

const manifests = () =>
  publishedFolders().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, placeOf(folder), 'package.json'), 'utf8'))
    return { folder, manifest }
  })

/** What an archive of ours depends on of ours, for each package: `packages.json` beside the archives. */
function indexOf(packages) {
  const names = new Set(packages.map(({ manifest }) => manifest.name))
  const entries = packages.map(({ folder, manifest }) => {
    const { name, version, dependencies, peerDependencies } = manifest
    // The archives of `@hailstone/brand` and `hailstone-brand` would have one name.
    const prefix = name.startsWith('@') ? 'hailstone' : 'unscoped'
    const ours = Object.keys({ ...dependencies, ...peerDependencies }).filter((one) => names.has(one))
    return [name, { file: `${prefix}-${folder}-${version}.tgz`, dependencies: ours }]
  })
  return Object.fromEntries(entries)
}

/** Names of packages and of all that they depend on of ours, each after its own dependencies. */
function withDependencies(names, index) {
  const ordered = new Set()
  const add = (name) => {
    if (ordered.has(name)) return
    for (const dependency of index[name].dependencies) add(dependency)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}

const quoted = (path) => (/^[\w./:\\@+-]+$/.test(path) ? path : JSON.stringify(path))

/** Installs, builds and packs. Returns the index of the archives. */
export function pack(folder) {
  install()
  build()
  const packages = manifests()
  const index = indexOf(packages)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.tgz')) rmSync(join(folder, name))
  const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
  for (const { folder: name, manifest } of packages)
    execFileSync(pnpm, ['pack', '--out', join(folder, index[manifest.name].file)], {
      cwd: join(root, placeOf(name)),
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
  writeFileSync(join(folder, 'packages.json'), `${JSON.stringify(index, null, 2)}\n`)
  return index
}

function run() {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
  const folder = resolve(values.out ?? packedFolder)
  const known = manifests().map(({ manifest }) => manifest.name)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no package ${unknown}. The packages are:\n${known.join('\n')}`)
  const index = pack(folder)
  const asked = positionals.length === 0 ? known : positionals
  const files = withDependencies(asked, index).map((name) => quoted(join(folder, index[name].file)))
  process.stdout.write(
    `${known.length} packages are in ${relative(process.cwd(), folder) || folder}. In a project of yours, this line installs ${positionals.length === 0 ? 'all of them' : `${positionals.join(', ')} and what they depend on`}:\n\n`,
  )
  process.stdout.write(`npm install ${files.join(' ')}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    run()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

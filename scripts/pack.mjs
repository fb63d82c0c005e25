// `npm run pack`: builds and packs every package that is published, and prints the line that installs them elsewhere.
//   -- --out FOLDER                      packs into this folder instead of `packed`
//   -- @hailstone/react @hailstone/…     prints the line for these packages and what they depend on
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

/** Name of the file beside the archives that says for each package its archive, and what that depends on of ours. */
const INDEX = 'packages.json'

/** What an archive of ours depends on of ours, for each package. */
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

const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** Name of an archive as this script gives it. */
const ARCHIVE = /^(?:hailstone|unscoped)-[\w-]+-\d+\.\d+\.\d+[\w.+-]*\.tgz$/

/**
 * The digest of an archive that an index names without one, as earlier versions wrote it: that of the archive as it is.
 * Null if the name is none that this script gives, or nothing is there.
 */
function digestThere(folder, file) {
  const path = join(folder, file)
  return ARCHIVE.test(file) && lstatSync(path, { throwIfNoEntry: false })?.isFile()
    ? digestOf(readFileSync(path))
    : null
}

/** The archives that the index of a folder names with their digests; null for another text. */
function archivesIn(folder, bytes) {
  try {
    const entries = Object.values(JSON.parse(Buffer.from(bytes).toString('utf8')))
    const isOurs = ({ file, sha256 }) =>
      sha256 === undefined ? ARCHIVE.test(file) : typeof file === 'string' && /^[0-9a-f]{64}$/.test(sha256)
    if (!entries.every(isOurs)) return null
    const pairs = entries.map(({ file, sha256 }) => [file, sha256 ?? digestThere(folder, file)])
    return new Map(pairs.filter(([, digest]) => digest !== null))
  } catch {
    return null
  }
}

/**
 * Writes archives and their index into a folder, in place of those of the last time. Everything else there stays.
 *
 * @param archives bytes by file name
 * @returns the index with the digest of each archive
 */
export async function writeArchives(folder, index, archives) {
  const { updateOwnFiles } = await import('../packages/runtime/dist/node.js')
  const withDigests = Object.fromEntries(
    Object.entries(index).map(([name, entry]) => {
      return [name, { ...entry, sha256: digestOf(archives.get(entry.file)) }]
    }),
  )
  const bytes = Buffer.from(`${JSON.stringify(withDigests, null, 2)}\n`)
  const list = { name: INDEX, read: (text) => archivesIn(folder, text) }
  await updateOwnFiles({ folder, list, files: archives, bytes })
  return withDigests
}

/** Installs, builds and packs. Returns the index of the archives. */
export async function pack(folder) {
  install()
  build()
  const packages = manifests()
  const index = indexOf(packages)
  const aside = mkdtempSync(join(tmpdir(), 'hailstone-pack-'))
  try {
    const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
    for (const { folder: name, manifest } of packages)
      execFileSync(pnpm, ['pack', '--out', join(aside, index[manifest.name].file)], {
        cwd: join(root, placeOf(name)),
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      })
    const archives = new Map(readdirSync(aside).map((name) => [name, readFileSync(join(aside, name))]))
    return await writeArchives(folder, index, archives)
  } finally {
    rmSync(aside, { recursive: true })
  }
}

async function run() {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
  const folder = resolve(values.out ?? packedFolder)
  const known = manifests().map(({ manifest }) => manifest.name)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no package ${unknown}. The packages are:\n${known.join('\n')}`)
  const index = await pack(folder)
  const asked = positionals.length === 0 ? known : positionals
  const files = withDependencies(asked, index).map((name) => quoted(join(folder, index[name].file)))
  process.stdout.write(
    `${known.length} packages are in ${relative(process.cwd(), folder) || folder}. In a project of yours, this line installs ${positionals.length === 0 ? 'all of them' : `${positionals.join(', ')} and what they depend on`}:\n\n`,
  )
  process.stdout.write(`npm install ${files.join(' ')}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await run()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

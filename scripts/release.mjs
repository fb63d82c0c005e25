// The steps of a release that are the same on a laptop and in release.yml. Each is completed by running it again:
//   node scripts/release.mjs check [TAG]           whether it may be published at all
//   node scripts/release.mjs pack FOLDER           packs everything twice, compares, and writes SHA256SUMS, the bill of
//                                                  materials, and the documents that packages have beside their code
//   node scripts/release.mjs publish FOLDER        publishes these very files, with provenance
//   node scripts/release.mjs github FOLDER [TAG]   makes the release of the tag on GitHub, with these files
//   node scripts/release.mjs published FOLDER      whether the registry has these very files
// Without TAG it is the tag that the workflow runs for.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { placeholders, placeOf, publishedFolders } from './project.mjs'
import { completeRelease } from './release/github.mjs'
import { archivesIn, assertPublished, packagesIn, publishPackages } from './release/packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (command, ...words) =>
  execFileSync(command, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })

/** Digests of the packages of a folder, as `sha256sum` writes them. */
const sumsOf = (folder) =>
  archivesIn(folder)
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')

/**
 * Packs every package into a folder, and again into another one.
 *
 * @throws {Error} if the bytes differ
 */
export function packTwice(folder) {
  const again = mkdtempSync(join(tmpdir(), 'hailstone-packed-'))
  try {
    for (const into of [folder, again]) run(process.execPath, 'scripts/pack.mjs', '--out', into)
    if (sumsOf(folder) !== sumsOf(again)) throw new Error('packed twice, the packages are not the same bytes')
  } finally {
    rmSync(again, { recursive: true })
  }
  return archivesIn(folder)
}

/** What the build prints from definitions, for those who want it without the package. */
const DOCUMENTS = [
  'packages/protocol/dist/openapi.json',
  'packages/brand/dist/brand.schema.json',
  'packages/hailstone/dist/config.schema.json',
]
/** Samples of the benchmarks, which are there where the benchmarks ran. */
const SAMPLES = '.hailstone/benchmarks.json'

/** Puts what a release has beside its packages into a folder. */
export function attachDocuments(folder) {
  const files = existsSync(join(root, SAMPLES)) ? [...DOCUMENTS, SAMPLES] : DOCUMENTS
  for (const path of files) put(join(folder, basename(path)), readFileSync(join(root, path)))
}

/** Writes a file of an earlier release anew; a link of its name is replaced, and what it leads to stays. */
function put(path, content) {
  rmSync(path, { force: true })
  writeFileSync(path, content, { flag: 'wx' })
}

const tagOfWorkflow = () => (process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined)

/** @throws {Error} if the tag is not the version of every package */
export function assertTag(tag, packages) {
  const other = packages.find(({ version }) => tag !== `v${version}`)
  if (other !== undefined)
    throw new Error(`the tag ${tag} is not the version of ${other.name}, ${other.version}`)
}

const manifests = () =>
  publishedFolders().map((folder) =>
    JSON.parse(readFileSync(join(root, placeOf(folder), 'package.json'), 'utf8')),
  )

function check(tag = tagOfWorkflow(), packages = manifests()) {
  const found = placeholders()
  if (found.length > 0) throw new Error(`scripts/project.mjs has placeholders: ${found.join(', ')}`)
  if (tag !== undefined) assertTag(tag, packages)
}

function pack(folder) {
  packTwice(folder)
  put(join(folder, 'SHA256SUMS'), sumsOf(folder))
  const bill = join(folder, 'sbom.cdx.json')
  rmSync(bill, { force: true })
  run(process.execPath, 'scripts/sbom.mjs', bill)
  attachDocuments(folder)
}

const say = (line) => process.stdout.write(`${line}\n`)

/** @throws {Error} if the archives are not those that were packed */
function assertPacked(folder) {
  if (readFileSync(join(folder, 'SHA256SUMS'), 'utf8') !== sumsOf(folder))
    throw new Error('the packages are not those that SHA256SUMS names')
}

function publish(folder) {
  check(undefined, packagesIn(folder))
  assertPacked(folder)
  publishPackages(folder, say)
}

/** Files that a release has on GitHub. */
const attached = (folder) =>
  readdirSync(folder)
    .filter((name) => /^[^.].*\.(?:tgz|json)$/.test(name) || name === 'SHA256SUMS')
    .sort()
    .map((name) => join(folder, name))

function github(folder, tag = tagOfWorkflow()) {
  if (tag === undefined) throw new Error('name the tag of the release')
  assertTag(tag, packagesIn(folder))
  assertPacked(folder)
  completeRelease({ tag, notes: join(root, 'CHANGELOG.md'), files: attached(folder), say })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [step, ...words] = process.argv.slice(2)
  const [folder = 'packed', tag] = words
  const steps = {
    check: () => check(words[0]),
    pack: () => pack(resolve(folder)),
    publish: () => publish(resolve(folder)),
    github: () => github(resolve(folder), tag),
    published: () => assertPublished(resolve(folder)),
  }
  try {
    if (!Object.hasOwn(steps, step ?? '')) throw new Error(`The steps are ${Object.keys(steps).join(', ')}.`)
    steps[step]()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

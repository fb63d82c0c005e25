// The steps of a release that are the same on a laptop and in release.yml:
//   node scripts/release.mjs check            whether it may be published at all
//   node scripts/release.mjs pack FOLDER      packs everything twice, compares, and writes SHA256SUMS, the bill of
//                                             materials, and the documents that packages have beside their code
//   node scripts/release.mjs publish FOLDER   publishes these very files, with provenance
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { placeholders } from './project.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (command, ...words) =>
  execFileSync(command, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })

const tarballsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .sort()

/** Digests of the packages of a folder, as `sha256sum` writes them. */
const sumsOf = (folder) =>
  tarballsIn(folder)
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
  return tarballsIn(folder)
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
  for (const path of files) copyFileSync(join(root, path), join(folder, basename(path)))
}

function check() {
  const found = placeholders()
  if (found.length > 0) throw new Error(`scripts/project.mjs has placeholders: ${found.join(', ')}`)
}

function pack(folder) {
  packTwice(folder)
  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder))
  run(process.execPath, 'scripts/sbom.mjs', join(folder, 'sbom.cdx.json'))
  attachDocuments(folder)
}

function publish(folder) {
  check()
  if (readFileSync(join(folder, 'SHA256SUMS'), 'utf8') !== sumsOf(folder))
    throw new Error('the packages are not those that SHA256SUMS names')
  // npm, not pnpm: what was packed and tested is published, and not packed anew.
  for (const name of tarballsIn(folder))
    run('npm', 'publish', join(folder, name), '--provenance', '--access', 'public')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [step, folder = 'packed'] = process.argv.slice(2)
  const steps = { check, pack, publish }
  try {
    if (!Object.hasOwn(steps, step ?? '')) throw new Error(`The steps are ${Object.keys(steps).join(', ')}.`)
    steps[step](resolve(folder))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

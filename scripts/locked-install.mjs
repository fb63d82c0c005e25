// Installs packages of others in the versions and with the digests of the workspace's lockfile, and no others: what an
// image holds is what was tested.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './bootstrap.mjs'
import { output } from './node-binaries.mjs'

/** Name and version → digest of the archive, as a registry names it. */
export const pinnedDigests = () =>
  new Map(
    [
      ...readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').matchAll(
        /^ {2}'?((?:@[^@:'\s]+\/)?[^@:'\s]+@[^:'(\s]+)'?:\n {4}resolution: \{integrity: (sha512-[^,}\s]+)/gm,
      ),
    ].map(([, key, digest]) => [key, digest]),
  )

/** Returns the folder of an installed package, as Node finds it; null for an optional one that is not there. */
function folderOf(from, name) {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(candidate)) return realpathSync(candidate)
    if (dirname(at) === at) return null
  }
}

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The places above a package at which Node looks for another, the nearest first. */
const placesAbove = (path) => {
  const parts = path.split('/node_modules/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/')).concat('')
}
const below = (place, name) => `${place}${place === '' ? '' : '/'}node_modules/${name}`

/**
 * Returns the lockfile of a folder that needs some packages of ours.
 *
 * @param names packages of ours that the folder depends on
 * @param folders place of each package of ours in the workspace, by name
 * @param archives its archive and digest, by name
 * @throws {Error} if a package is needed that the workspace's lockfile does not pin
 */
export function lockOf({ names, folders, archives, digests = pinnedDigests() }) {
  const entries = new Map()
  const queue = names.map((name) => ({ place: '', name, folder: folders.get(name) }))
  for (const { place, name, folder } of queue) {
    const { version, dependencies = {}, optionalDependencies = {} } = manifestIn(folder)
    const found = placesAbove(place).map((one) => entries.get(below(one, name))?.version)
    const nearest = found.find((one) => one !== undefined)
    if (nearest === version) continue
    const path = below(nearest === undefined ? '' : place, name)
    const ours = archives.get(name)
    const integrity = ours?.integrity ?? digests.get(`${name}@${version}`)
    if (integrity === undefined) throw new Error(`${name}@${version} is not in the lockfile`)
    const ranges = ours?.dependencies ?? dependencies
    entries.set(path, {
      version,
      ...(ours === undefined ? {} : { resolved: `file:${ours.path}` }),
      integrity,
      dependencies: ranges,
      optionalDependencies,
    })
    for (const one of Object.keys({ ...ranges, ...optionalDependencies })) {
      const needed = folderOf(folder, one)
      if (needed !== null) queue.push({ place: path, name: one, folder: needed })
      else if (!(one in optionalDependencies))
        throw new Error(`${one}, which ${name} needs, is not installed`)
    }
  }
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${archives.get(name).path}`]))
  const packages = { '': { name: 'image', dependencies }, ...Object.fromEntries(entries) }
  return { name: 'image', lockfileVersion: 3, requires: true, packages }
}

/** Installs what a lockfile names into a folder, without scripts. npm refuses an archive with another digest. */
export function installLock(folder, lock) {
  mkdirSync(folder, { recursive: true })
  const { dependencies } = lock.packages['']
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'image', private: true, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock, null, 1))
  const quietly = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund']
  output('npm', ['ci', ...quietly], { cwd: folder, env: process.env })
}

// Packages of a release in the registry: what is there with the same bytes is left, the others are published, each after
// what it depends on. A release that ended half-way is completed by running it again.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of the archives in a folder, sorted. */
export const archivesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .sort()

/** A package of a release: its manifest, as the archive has it, and the digest by which a registry names the archive. */
function packageOf(path) {
  const text = execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' })
  const { name, version, dependencies, peerDependencies, optionalDependencies } = JSON.parse(text)
  const needs = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
  const integrity = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`
  return { path, name, version, dependencies, needs, integrity }
}

/** Returns the packages of a folder, each after its own dependencies. */
export function packagesIn(folder) {
  const all = new Map(
    archivesIn(folder).map((file) => {
      const one = packageOf(join(folder, file))
      return [one.name, one]
    }),
  )
  const ordered = new Set()
  const begun = new Set()
  const add = (one) => {
    if (one === undefined || begun.has(one)) return
    begun.add(one)
    for (const name of one.needs) add(all.get(name))
    ordered.add(one)
  }
  for (const one of all.values()) add(one)
  return [...ordered]
}

/**
 * Returns the digest of a package in the registry; null if it has no such version.
 *
 * @throws {Error} if the registry does not answer
 */
function publishedDigest({ name, version }) {
  const words = ['view', `${name}@${version}`, 'dist.integrity', '--json', '--prefer-online']
  const { status, stdout, stderr } = spawnSync('npm', words, { encoding: 'utf8' })
  const said = `${stdout ?? ''}${stderr ?? ''}`
  if (status !== 0 && /\bE404\b/.test(said)) return null
  if (status !== 0) throw new Error(`the registry was asked for ${name}@${version}: ${said.trim()}`)
  // Nothing is printed for a version that is not there of a package that is.
  return stdout.trim() === '' ? null : JSON.parse(stdout)
}

/** @throws {Error} if the registry has other bytes under this name and version */
function isThere(one) {
  const found = publishedDigest(one)
  if (found === null || found === one.integrity) return found !== null
  throw new Error(
    `${one.name}@${one.version} is in the registry with other bytes: ${found}, and not ${one.integrity}`,
  )
}

/** @throws {Error} for the first package of a folder that the registry lacks, or has with other bytes */
export function assertPublished(folder) {
  const missing = packagesIn(folder).find((one) => !isThere(one))
  if (missing !== undefined) throw new Error(`${missing.name}@${missing.version} is not published`)
}

/**
 * Publishes what the registry lacks. All names are asked for first, so that other bytes under one of them end the release
 * before anything is published.
 *
 * @param say gets a line about each package
 * @throws {Error} at the first that cannot be published
 */
export function publishPackages(folder, say) {
  const missing = packagesIn(folder).filter((one) => {
    const isDone = isThere(one)
    if (isDone) say(`${one.name}@${one.version} is there already`)
    return !isDone
  })
  for (const one of missing) {
    // npm, not pnpm: what was packed and tested is published, and not packed anew.
    const { status } = spawnSync('npm', ['publish', one.path, '--provenance', '--access', 'public'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    // A request whose answer was lost may have been taken.
    if (status !== 0 && !isThere(one)) throw new Error(`${one.name}@${one.version} was not published`)
    say(`${one.name}@${one.version} is published`)
  }
}

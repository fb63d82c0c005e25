import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(new URL('../peers/package.json', import.meta.url))
const workspace = fileURLToPath(new URL('../../..', import.meta.url))
/** A folder that git ignores, outside of all packages, so that no package can find what it must not depend on. */
export const scratchFolder = join(workspace, '.hailstone')
export const peersFolder = join(scratchFolder, 'peers')

/**
 * Installs what is compared with, without running any install script.
 *
 * @throws {Error} with what the package manager said
 */
export function installPeers(): void {
  const there = join(peersFolder, 'package.json')
  const isCurrent = existsSync(there) && readFileSync(there, 'utf8') === readFileSync(manifest, 'utf8')
  if (isCurrent && existsSync(join(peersFolder, 'node_modules', 'viem'))) return
  mkdirSync(peersFolder, { recursive: true })
  copyFileSync(manifest, there)
  const pnpm = join(workspace, 'node_modules', '.bin', 'pnpm')
  const options = ['install', '--ignore-workspace', '--ignore-scripts', '--node-linker=hoisted']
  const done = spawnSync(pnpm, options, { cwd: peersFolder, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the peers could not be installed:\n${done.stdout}${done.stderr}`)
}

const requirePeer = createRequire(join(peersFolder, 'package.json'))

/** A module of a peer; the caller says what of it is used. */
export const peer = <T>(name: string): T => requirePeer(name) as T

/** Returns the path of a peer's module, for processes of their own. */
export const peerPath = (name: string): string => requirePeer.resolve(name)

export function peerVersion(name: string): string {
  const file = join(peersFolder, 'node_modules', name, 'package.json')
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  return version
}

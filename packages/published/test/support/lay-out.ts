import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { folderOf, type PublishedName, packageNameOf, tarballOf } from './workspace.ts'

type Manifest = {
  readonly version: string
  readonly exports: { readonly [entry: string]: unknown }
  readonly bin?: { readonly [command: string]: string }
  readonly dependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

export const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

const run = promisify(execFile)

/**
 * Lays a package out as an installer does, without a registry: ours from its tarball and each one that it depends
 * on, the others from what this workspace has installed. What a manifest does not name is not there.
 *
 * @throws {Error} when a version that is asked for exactly is another one here
 */
export async function layOut(parameters: {
  readonly name: PublishedName
  readonly tarballs: string
  /** The folder of the application. */
  readonly into: string
  /** Those that users add themselves. @default false */
  readonly withPeers?: boolean
  /** For bundlers that follow no link out of the application: other packages are copied. @default false */
  readonly asCopies?: boolean
}): Promise<void> {
  const { name, tarballs, into, withPeers = false, asCopies = false } = parameters
  const at = join(into, 'node_modules', packageNameOf(name))
  if (existsSync(at)) return
  await mkdir(at, { recursive: true })
  await run('tar', ['-xzf', tarballOf(tarballs, name), '-C', at, '--strip-components=1'])
  const { dependencies = {}, peerDependencies = {} } = manifestIn(at)
  for (const [dependency, range] of Object.entries({
    ...dependencies,
    ...(withPeers ? peerDependencies : {}),
  })) {
    if (dependency.startsWith('@hailstone/'))
      await layOut({ ...parameters, name: dependency.slice('@hailstone/'.length) as PublishedName })
    else await link({ dependency, range, from: folderOf(name), into, asCopies })
  }
}

async function link(parameters: {
  readonly dependency: string
  readonly range: string
  readonly from: string
  readonly into: string
  readonly asCopies: boolean
}): Promise<void> {
  const { dependency, range, from, into, asCopies } = parameters
  const here = realpathSync(join(from, 'node_modules', dependency))
  const { version } = manifestIn(here)
  if (/^\d/.test(range) && range !== version) throw new Error(`${dependency} is ${version}, not ${range}`)
  const at = join(into, 'node_modules', dependency)
  if (existsSync(at)) return
  await mkdir(dirname(at), { recursive: true })
  if (asCopies) await cp(here, at, { recursive: true, dereference: true })
  else await symlink(here, at, 'dir')
}

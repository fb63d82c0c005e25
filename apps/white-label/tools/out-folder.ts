import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isBuildFolder } from '@hailstone/brand/tools'

/** Returns the folder of a build if none is named: inside the brand's folder, or `builds/` beside a `brands/`. */
export function defaultOut(brandFolder: string, id: string, platform?: string): string {
  const parent = dirname(resolve(brandFolder))
  if (basename(parent) !== 'brands') return join(resolve(brandFolder), platform ?? 'dist')
  return join(dirname(parent), 'builds', platform === undefined ? id : `${id}-${platform}`)
}

/** Returns the folder beside a build for the files that set its host up. */
export function deployFolder(out: string): string {
  const name = basename(resolve(out))
  return join(dirname(resolve(out)), name === 'dist' ? 'deploy' : `${name}-deploy`)
}

/** Returns why nothing may be built into a folder: it holds the brand, or files but no build. Null if it may. */
export async function foreignFile(out: string, brandFolder: string): Promise<string | null> {
  const [target, brand] = await Promise.all([real(out), real(brandFolder)])
  if (`${brand}${sep}`.startsWith(target.endsWith(sep) ? target : `${target}${sep}`))
    return `${out} holds the brand itself, and a build goes into a folder of its own`
  const names = await namesIn(out)
  return names.length === 0 || (await isBuildFolder(target))
    ? null
    : `${out} holds files that no build wrote, such as ${names.toSorted()[0]}`
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Returns a path without links; of a folder that is not there yet, from its parent on. */
async function real(path: string): Promise<string> {
  const full = resolve(path)
  try {
    return await realpath(full)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && dirname(full) !== full)
      return join(await real(dirname(full)), basename(full))
    throw error
  }
}

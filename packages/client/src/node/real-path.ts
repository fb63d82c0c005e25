import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

/** Largest number of symbolic links that lead to a file that is not there yet, as on Linux. */
const MAX_LINKS = 40

/**
 * Returns the absolute path of a file without symbolic links, so that one file has one lock. A file that is not there
 * yet has the path at which opening it would create it.
 *
 * @throws the error of the system, `ELOOP` for links without end
 */
export async function realPathOf(path: string): Promise<string> {
  let next = resolve(path)
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return await realpath(next)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
    const folder = await realFolderOf(dirname(next))
    const target = await readlink(next).catch(() => null)
    if (target === null) return join(folder, basename(next))
    next = resolve(folder, target)
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' })
}

/** Returns a missing folder's path unchanged. */
async function realFolderOf(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return folder
    throw error
  }
}

import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file of this name is there already',
  EIO: 'the disk reports an error',
  ELOOP: 'links of the path lead in a circle',
  EMFILE: 'this process has too many open files',
  ENAMETOOLONG: 'a name of the path is too long',
  ENFILE: 'the system has too many open files',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
}

/** Returns what an error code of the system says, in words and by its name: `the disk is full (ENOSPC)`. */
export const systemCause = (code: string): string =>
  words[code] === undefined ? `the system says ${code}` : `${words[code]} (${code})`

/**
 * Describes an error of the file system by its path and cause.
 *
 * @returns null if the error is of another kind
 */
export function systemFaultOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const code = String(error.code)
  if ('syscall' in error && error.syscall === 'uv_cwd') return `The working folder: ${systemCause(code)}.`
  if (!('path' in error)) return null
  return words[code] === undefined ? null : `${String(error.path)}: ${systemCause(code)}.`
}

/**
 * Runs a task whose errors are about one path. Errors of writes and syncs do not name it by themselves.
 *
 * @throws what the task throws, with the path where it names none
 */
export async function aboutPath<T>(path: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path })
    throw error
  }
}

/**
 * Creates a folder and those above it, unless they exist.
 *
 * @throws the error of the first folder that cannot be created. A recursive `mkdir` of Node reports `ENOENT` on a
 * read-only file system, and never returns below `/proc`
 */
export async function makeFolder(path: string, options: { readonly mode?: number } = {}): Promise<void> {
  const parent = dirname(path)
  const fault = await faultOfMaking(path, options)
  if (fault === null) return
  if (fault.code !== 'ENOENT' || parent === path) throw fault
  await makeFolder(parent, options)
  const secondFault = await faultOfMaking(path, options)
  if (secondFault !== null) throw secondFault
}

/** Creates one folder. Null if it is there afterwards, whoever created it. */
async function faultOfMaking(
  path: string,
  options: { readonly mode?: number },
): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, options)
    return null
  } catch (error) {
    const found = await stat(path).catch(() => null)
    return found?.isDirectory() === true ? null : (error as NodeJS.ErrnoException)
  }
}

import { readFile, stat } from 'node:fs/promises'

/** Octal escapes of blanks, tabs, line ends and backslashes. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/** True on Linux for a path on which something is mounted; false where the system does not say. */
async function isMountPoint(path: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'latin1').catch(() => '')
  const wanted = Buffer.from(path).toString('latin1')
  return mounts.split('\n').some((line) => unescaped(line.split(' ')[4] ?? '') === wanted)
}

/**
 * Returns why another program could open a file under a second path, where it would not find the lock of this one.
 *
 * @param path absolute, without symbolic links
 * @returns null if there is no such path, and for a file that is not there
 */
export async function secondPathOf(path: string): Promise<string | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) return null
  if (found.isFile() && found.nlink > 1)
    return `it has ${found.nlink} hard links, so another program could open it under another name; remove all but one`
  if (await isMountPoint(path))
    return 'it is mounted by itself, so another program could open it under another path; mount the folder instead'
  return null
}

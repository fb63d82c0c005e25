import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const MOST_BYTES = 4096

/** Does not wait for a writer of a pipe, and follows no link. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Codes of links and sockets that stand for a file. */
const NO_FILE = ['ELOOP', 'ENXIO']

/**
 * Reads a short text in a folder that another user writes, such as a service: the path may name a link, a pipe or an endless
 * file.
 *
 * @returns '' for anything but a file of at most 4,096 bytes, and null if the path does not exist
 * @throws any other error of the system
 */
export async function shortText(path: string): Promise<string | null> {
  try {
    const handle = await open(path, FLAGS)
    try {
      if (!(await handle.stat()).isFile()) return ''
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0)
      return bytesRead > MOST_BYTES ? '' : buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    if (code === 'ENOENT') return null
    if (NO_FILE.includes(code)) return ''
    throw error
  }
}

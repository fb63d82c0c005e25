import { join, resolve } from 'node:path'
import { hostError } from '@hailstone/protocol'
import { makeFolder, takeFileLock } from '@hailstone/runtime/node'

/**
 * Takes a folder for this process alone and returns how to give it back. The database engine has no lock of its
 * own: a second process would open the same files and leave them unreadable.
 *
 * @throws {NodeError} `STORE_LOCKED` while another process holds the folder
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await makeFolder(resolve(folder))
  const lock = await takeFileLock(join(resolve(folder), 'lock'))
  if ('release' in lock) return lock.release
  throw hostError('STORE_LOCKED', { folder, ...lock })
}

import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { keystoreError, NodeError } from '@hailstone/protocol'
import { openModeOf, writtenText } from '@hailstone/runtime/node'
import { diskFault } from './disk-fault.ts'
import { syncFolder } from './sync-folder.ts'

const MAX_BYTES = 64 * 1024

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

/**
 * Reads a file that nobody else may read; undefined when it is not there. What is checked is the file that was
 * opened, not the one that has its name a moment later.
 *
 * @throws {NodeError} `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED`
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw keystoreError('KEYSTORE_MALFORMED', { reason: diskFault(error) }, { cause: error })
  })
  if (handle === undefined) return undefined
  try {
    const found = await handle.stat()
    const mode = openModeOf(path, found)
    if (mode !== null) throw keystoreError('KEYSTORE_PERMISSIONS', { path, mode })
    if (found.size > MAX_BYTES) throw keystoreError('KEYSTORE_MALFORMED', { reason: 'it is too long' })
    return writtenText(await handle.readFile())
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw keystoreError('KEYSTORE_MALFORMED', { reason: diskFault(error) }, { cause: error })
  } finally {
    await handle.close()
  }
}

/**
 * Puts a file in the place of another, mode 0600, on disk before it counts: whoever looks, also after a power
 * cut, finds the old file or the new one, whole. Callers hold a lock; two writers would share the draft.
 *
 * @throws {NodeError} `KEYSTORE_WRITE_FAILED`; the old file is then still there
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`
  try {
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.chmod(0o600)
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw keystoreError('KEYSTORE_WRITE_FAILED', { place: path, reason: diskFault(error) }, { cause: error })
  }
}

import { open, readFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseKeystore } from '@hailstone/client'
import { keystoreError } from '@hailstone/protocol'
import { makeFolder, systemCause, writtenText } from '@hailstone/runtime/node'
import { isKeystoreText, walletOfKeyText } from './key-text.ts'

/**
 * Writes a secret to a new file of mode 0600. Nothing is ever overwritten: the file that exists may hold another key.
 *
 * @throws {NodeError} `KEYSTORE_EXISTS`, `KEYSTORE_WRITE_FAILED`
 */
export async function writeSecretFile(given: {
  readonly path: string
  readonly text: string
}): Promise<string> {
  const path = resolve(given.path)
  try {
    await makeFolder(dirname(path), { mode: 0o700 })
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(given.text)
      await handle.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    return path
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw keystoreError('KEYSTORE_EXISTS', { place: path, address: await ownerOf(path) })
    throw keystoreError('KEYSTORE_WRITE_FAILED', { place: path, reason: systemCause(code) })
  }
}

/** Returns the address of the key in a file, or null if the file cannot be read as a key. */
async function ownerOf(path: string): Promise<string | null> {
  try {
    const text = writtenText(await readFile(path))
    return isKeystoreText(text) ? parseKeystore(text).address : walletOfKeyText(text).address
  } catch {
    return null
  }
}

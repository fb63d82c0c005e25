import { isNodeError, keystoreError, NodeError } from '@hailstone/protocol'
import { parseKeystore } from '../wallet/keystore-document.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'

const copyOf = (path: string): string => `${path}.copy`

export type StoredKeystore = { readonly text: string; readonly isFromCopy: boolean }

/**
 * Reads the file, or its copy when the file is gone or damaged. A newer version is never passed over.
 *
 * @throws {NodeError} what is wrong with the file, when the copy is no better: `KEYSTORE_MISSING`,
 *   `KEYSTORE_MALFORMED`; also `KEYSTORE_PERMISSIONS`, `KEYSTORE_VERSION_UNKNOWN`, `KEYSTORE_PARAMETER_REFUSED`
 */
export async function readKeystoreFile(path: string): Promise<StoredKeystore> {
  try {
    return { text: await readWhole(path), isFromCopy: false }
  } catch (error) {
    if (!isGoneOrDamaged(error)) throw error
    const text = await readWhole(copyOf(path)).catch((worse: unknown) => {
      throw isGoneOrDamaged(worse) ? error : worse
    })
    return { text, isFromCopy: true }
  }
}

/** The second copy, undefined when it is of no use. */
export async function readKeystoreCopy(path: string): Promise<string | undefined> {
  try {
    return await readWhole(copyOf(path))
  } catch (error) {
    if (error instanceof NodeError) return undefined
    throw error
  }
}

/**
 * Writes the file and then its copy, so one of the two is whole at any moment. In the end both are the same: a
 * copy of what was there before would still open with the password that was given up. Callers hold the lock.
 *
 * @throws {NodeError} `KEYSTORE_WRITE_FAILED`; `KEYSTORE_EXISTS` if the copy is the key of another account, whose file may
 *   have been replaced by hand: then nothing is written
 */
export async function writeKeystoreFiles(path: string, text: string): Promise<void> {
  const copy = await readKeystoreCopy(path)
  const owner = copy === undefined ? undefined : parseKeystore(copy).address
  if (owner !== undefined && owner !== parseKeystore(text).address)
    throw keystoreError('KEYSTORE_EXISTS', { place: copyOf(path), address: owner })
  await replacePrivateFile(path, text)
  await replacePrivateFile(copyOf(path), text)
}

const isGoneOrDamaged = (error: unknown): boolean =>
  isNodeError(error, 'KEYSTORE_MALFORMED') || isNodeError(error, 'KEYSTORE_MISSING')

async function readWhole(path: string): Promise<string> {
  const text = await readPrivateFile(path)
  if (text === undefined) throw keystoreError('KEYSTORE_MISSING', { place: path })
  parseKeystore(text)
  return text
}

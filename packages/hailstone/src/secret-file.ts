import { type FileHandle, open } from 'node:fs/promises'
import { keystoreError } from '@hailstone/protocol'
import { openModeOf, systemCause, writtenText } from '@hailstone/runtime/node'

const MAX_BYTES = 65_536

/** Opens a file that nobody else may read; what is checked is the file that was opened. */
async function openPrivate(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw keystoreError('KEYSTORE_MISSING', { place: path })
    throw keystoreError('KEYSTORE_MALFORMED', { reason: `${path}: ${systemCause(String(cause.code))}` })
  })
  const mode = openModeOf(path, await handle.stat())
  if (mode === null) return handle
  await handle.close()
  throw keystoreError('KEYSTORE_PERMISSIONS', { path, mode })
}

/**
 * Opens a file of any length that nobody else may read, for reading line by line.
 *
 * @throws {NodeError} `KEYSTORE_MISSING`, `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED`
 */
export const openSecretFile = openPrivate

/**
 * Reads a small file that nobody else may read. Callers that hold a secret longer than they need it overwrite it.
 *
 * @throws {NodeError} `KEYSTORE_MISSING`, `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED`
 */
export async function readSecretBytes(path: string): Promise<Buffer> {
  const handle = await openPrivate(path)
  try {
    // Not by the length that the file says it has: a pipe says 0 and may never end.
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length)).bytesRead
    if (length > MAX_BYTES) throw keystoreError('KEYSTORE_MALFORMED', { reason: 'it is too long' })
    return buffer.subarray(0, length)
  } finally {
    await handle.close()
  }
}

/**
 * Reads a small text that nobody else may read.
 *
 * @throws {NodeError} `KEYSTORE_MISSING`, `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED`
 */
export async function readSecretFile(path: string): Promise<string> {
  const bytes = await readSecretBytes(path)
  const text = writtenText(bytes)
  bytes.fill(0)
  return text
}

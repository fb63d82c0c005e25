import { keystoreError } from '@hailstone/protocol'
import { isKeystoreText } from './key-text.ts'
import { openSecretFile } from './secret-file.ts'

/** Enough to see the encoding and what kind of file it is. */
const HEAD_BYTES = 64

type Encoding = 'utf8' | 'utf16le'

/** The encoding of a file by its first bytes. */
function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xfe && head[1] === 0xff)
    throw keystoreError('KEYSTORE_MALFORMED', { reason: 'it is text in UTF-16BE; write it in UTF-8' })
  return head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'utf8'
}

/** The first bytes of a file; none of a pipe, from which they would be gone. */
async function headOf(path: string): Promise<Buffer> {
  const handle = await openSecretFile(path)
  try {
    if (!(await handle.stat()).isFile()) return Buffer.alloc(0)
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Refuses a file of keys that others may read, or that holds no lines of keys.
 *
 * @throws {NodeError} `KEYSTORE_MISSING`, `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED`
 */
export async function assertKeysFile(path: string): Promise<void> {
  const head = await headOf(path)
  if (isKeystoreText(head.toString(encodingOf(head))))
    throw keystoreError('KEYSTORE_MALFORMED', {
      reason: 'it is a keystore or other JSON; a fleet takes a file with one key of 64 hex digits a line',
    })
}

/** Lines of a file of keys, read again whenever a signing thread has to be replaced. */
export async function* keyLines(path: string): AsyncGenerator<string> {
  const encoding = encodingOf(await headOf(path))
  const handle = await openSecretFile(path)
  try {
    for await (const line of handle.readLines({ encoding })) {
      // A byte order mark counts as space.
      const key = line.trim()
      if (key !== '' && !key.startsWith('#')) yield key
    }
  } finally {
    await handle.close()
  }
}

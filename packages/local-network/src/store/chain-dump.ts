import { gunzipSync, gzipSync } from 'node:zlib'
import type { DatabaseCopy } from '@hailstone/database'
import { hostError } from '@hailstone/protocol'

/** First bytes of a dump, before the version of the engine and the end of the line. */
const HEAD = 'hailstone network dump 1, engine '
const LINE_END = 10

/** Returns the bytes of a dump: a line of text, and the compressed archive. */
export function encodeDump({ files, engine }: DatabaseCopy): Uint8Array {
  return Buffer.concat([Buffer.from(`${HEAD}${engine}\n`), gzipSync(files, { level: 6 })])
}

/** @throws {NodeError} `STORE_INVALID` if the bytes are no dump */
export function decodeDump(bytes: Uint8Array<ArrayBuffer>): DatabaseCopy {
  const end = bytes.indexOf(LINE_END)
  const line = Buffer.from(bytes.subarray(0, Math.min(Math.max(end, 0), 100))).toString()
  if (!line.startsWith(HEAD)) throw hostError('STORE_INVALID', { reason: 'the file is no dump of a network' })
  try {
    const files = new Uint8Array(gunzipSync(bytes.subarray(end + 1)))
    return { files, engine: line.slice(HEAD.length) }
  } catch (cause) {
    throw hostError('STORE_INVALID', { reason: 'the dump is damaged or not whole' }, { cause })
  }
}

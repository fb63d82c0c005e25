import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/** Bytes that are kept in memory; a longer file stands in the folder for temporary files. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024

/** A file that is written before anybody reads it, so that nobody who reads slowly holds up what it is made of. */
export type Spool = {
  readonly append: (bytes: Uint8Array) => Promise<void>
  /** Returns what was appended, once; whoever takes it reads or destroys it. */
  readonly read: () => { readonly length: number; readonly stream: Readable }
  /** Drops what was appended. */
  readonly drop: () => Promise<void>
}

/** Opens a file that has no name any more, so that the system removes it with the last who reads it. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `hailstone-console-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

export function createSpool(): Spool {
  const kept: Uint8Array[] = []
  let length = 0
  let file: FileHandle | undefined
  return {
    async append(bytes) {
      length += bytes.length
      if (file === undefined && length > MAX_KEPT_BYTES) {
        file = await openNameless()
        for (const piece of kept.splice(0)) await file.appendFile(piece)
      }
      if (file === undefined) kept.push(bytes)
      else await file.appendFile(bytes)
    },
    read: () => ({
      length,
      stream: file?.createReadStream({ start: 0 }) ?? Readable.from([Buffer.concat(kept)]),
    }),
    drop: async () => file?.close(),
  }
}

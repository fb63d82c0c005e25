import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/** Bytes that are kept in memory; a longer file stands in the folder for temporary files. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024
/** Bytes that are read from the file at once. */
const PIECE_BYTES = 64 * 1024

/** A file that is read while it is written, so that nobody who reads slowly holds up what it is made of. */
export type Spool = {
  readonly append: (bytes: Uint8Array) => Promise<void>
  /** Bytes that were appended. */
  readonly length: () => number
  /** Says that all is appended. */
  readonly end: () => void
  /** Returns the bytes from the first one on, once, also those to come; whoever takes it reads or destroys it. */
  readonly read: () => Readable
  /** Drops what was appended; whoever reads it fails with the error. */
  readonly drop: (error: unknown) => Promise<void>
}

/** Opens a file that has no name any more, so that the system removes it with the last who reads it. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `hailstone-console-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

type State = 'growing' | 'whole' | { readonly error: unknown }

export function createSpool(): Spool {
  let kept: Uint8Array = new Uint8Array()
  let length = 0
  let file: FileHandle | undefined
  let state: State = 'growing'
  let isReading = false
  let wake = (): void => {}
  const become = (next: State): void => {
    if (state === 'growing') state = next
    wake()
  }
  /** The last of writer and reader closes the file. */
  const closeIfLeft = async (): Promise<void> => {
    if (state !== 'growing' && !isReading) await file?.close()
  }

  /** Bytes from a place on, as soon as there are some; null at the end. */
  async function pieceAt(at: number): Promise<Uint8Array | null> {
    while (at >= length && state === 'growing')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (typeof state === 'object') throw state.error
    if (at >= length) return null
    if (file === undefined) return kept.subarray(at)
    const size = Math.min(PIECE_BYTES, length - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, at)
    return buffer.subarray(0, bytesRead)
  }

  function openReader(): Readable {
    let at = 0
    isReading = true
    const stream = new Readable({
      read() {
        pieceAt(at).then(
          (piece) => {
            at += piece?.length ?? 0
            if (!stream.destroyed) stream.push(piece)
          },
          (error: unknown) => stream.destroy(error as Error),
        )
      },
      destroy(error, done) {
        isReading = false
        closeIfLeft().then(() => done(error), done)
      },
    })
    return stream
  }

  return {
    async append(bytes) {
      if (file === undefined && length + bytes.length > MAX_KEPT_BYTES) {
        const opened = await openNameless()
        await opened.appendFile(kept)
        file = opened
        kept = new Uint8Array()
      }
      if (file === undefined) kept = Buffer.concat([kept, bytes])
      else await file.appendFile(bytes)
      length += bytes.length
      wake()
    },
    length: () => length,
    end: () => become('whole'),
    read: openReader,
    drop: async (error) => {
      become({ error })
      await closeIfLeft()
    },
  }
}

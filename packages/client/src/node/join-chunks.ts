/** Collects the chunks of a body. */
export type ChunkJoiner = {
  readonly add: (chunk: Buffer) => void
  /** Everything so far. Not to be changed. */
  readonly bytes: () => Buffer
}

/**
 * Joins chunks as they come. A list of them would cost a multiple of their bytes where somebody sends one byte in
 * each; here the room doubles when it is full, up to the limit. A single chunk, which is what most bodies are, is not
 * copied.
 *
 * @param limitBytes of all chunks together; the caller adds no more
 */
export function joinChunks(limitBytes: number): ChunkJoiner {
  let room: Buffer | undefined
  let sizeBytes = 0
  return {
    add: (chunk) => {
      const before = sizeBytes
      sizeBytes += chunk.length
      if (room === undefined) {
        room = chunk
        return
      }
      if (sizeBytes > room.length || before === room.length) {
        const larger = Buffer.allocUnsafe(Math.min(2 * sizeBytes, limitBytes))
        room.copy(larger, 0, 0, before)
        room = larger
      }
      chunk.copy(room, before)
    },
    bytes: () => room?.subarray(0, sizeBytes) ?? Buffer.alloc(0),
  }
}

/**
 * A blob for the engine, which reads nothing of it but the whole buffer. Node's own blob assembles that from copies, which
 * was a third of the CPU time of opening a database in memory.
 */
class HeldBytes extends Blob {
  readonly #take: () => ArrayBuffer

  constructor(take: () => ArrayBuffer) {
    super()
    this.#take = take
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#take())
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)

/** Returns a blob that shares its bytes. For a dump, which the engine only reads. */
export const heldBytes = (bytes: Uint8Array<ArrayBuffer>): Blob => {
  const buffer = bufferOf(bytes)
  return new HeldBytes(() => buffer)
}

/** Returns a blob that gives out a copy each time. For the engine's own files, which a database may write to. */
export const copiedBytes = (bytes: Uint8Array<ArrayBuffer>): Blob => {
  const buffer = bufferOf(bytes)
  return new HeldBytes(() => buffer.slice(0))
}

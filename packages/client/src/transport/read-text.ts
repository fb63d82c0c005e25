import { apiError } from '@hailstone/protocol'

/**
 * Collects a body up to a limit and reads it as UTF-8. Leaving early ends the iteration, which closes the
 * connection behind it.
 *
 * @throws {NodeError} `RESPONSE_TOO_LARGE`, `RESPONSE_INVALID`
 */
export async function readText(
  chunks: AsyncIterable<Uint8Array>,
  { path, limitBytes }: { readonly path: string; readonly limitBytes: number },
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sizeBytes = 0
  let text = ''
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limitBytes) throw apiError('RESPONSE_TOO_LARGE', { path, limitBytes })
    text += decoded(decoder, path, chunk)
  }
  return text + decoded(decoder, path)
}

function decoded(decoder: TextDecoder, path: string, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch (error) {
    throw apiError('RESPONSE_INVALID', { path, reason: 'the body is not UTF-8' }, { cause: error })
  }
}

/** The chunks of a web stream; not every browser iterates over one. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Already closed or failed is just as well.
    await reader.cancel().catch(() => undefined)
  }
}

import { apiError } from '@hailstone/protocol'

/**
 * Collects a body up to a limit and reads it as UTF-8; what is beyond the limit is not waited for. Without the
 * iterator of the stream, which not every browser has.
 *
 * @throws {NodeError} `RESPONSE_TOO_LARGE`, `RESPONSE_INVALID`
 */
export async function readBody(
  response: Pick<Response, 'body' | 'text'>,
  { path, limitBytes }: { readonly path: string; readonly limitBytes: number },
): Promise<string> {
  const { body } = response
  // React Native gives no stream.
  if (body === undefined) return readText(response, { path, limitBytes })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = body?.getReader()
  let sizeBytes = 0
  let text = ''
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {}
      sizeBytes += value?.byteLength ?? 0
      if (sizeBytes > limitBytes) throw apiError('RESPONSE_TOO_LARGE', { path, limitBytes })
      text += decoded(decoder, value, path)
      if (done) return text
    }
  } finally {
    // Already closed or failed is just as well.
    await reader?.cancel().catch(() => undefined)
  }
}

async function readText(
  response: Pick<Response, 'text'>,
  { path, limitBytes }: { readonly path: string; readonly limitBytes: number },
): Promise<string> {
  const text = await response.text()
  if (text.length > limitBytes) throw apiError('RESPONSE_TOO_LARGE', { path, limitBytes })
  return text
}

/** Without a chunk it is the end, where no half character may be left. */
function decoded(decoder: TextDecoder, chunk: Uint8Array | undefined, path: string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (error) {
    throw apiError('RESPONSE_INVALID', { path, reason: 'the body is not UTF-8' }, { cause: error })
  }
}

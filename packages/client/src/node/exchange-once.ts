import { apiError } from '@hailstone/protocol'
import type { Dispatcher } from 'undici'
import { isRedirect } from '../transport/redirect.ts'
import type { OnCancel } from '../transport/with-deadline.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An answer as it came; the body of a redirect is not read. */
export type RawAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** More of a body that nobody wants is not worth the connection. */
const UNWANTED_LIMIT_BYTES = 16 * 1024

const HEADERS = { accept: 'application/json' }
const POST_HEADERS = { ...HEADERS, 'content-type': 'application/json' }

/** Reads whole texts only, so it keeps nothing from one to the next. */
const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(chunks: readonly Buffer[], path: string): string {
  const [first] = chunks
  try {
    return decoder.decode(chunks.length === 1 ? first : Buffer.concat(chunks))
  } catch (error) {
    throw apiError('RESPONSE_INVALID', { path, reason: 'the body is not UTF-8' }, { cause: error })
  }
}

/**
 * One request and its answer, without the streams and signals of `Pool.request`, which cost as much as the rest.
 *
 * @throws {NodeError} `RESPONSE_TOO_LARGE`, `RESPONSE_INVALID` (not UTF-8); what undici throws
 */
export function exchangeOnce(parameters: {
  readonly pool: Dispatcher
  readonly origin: string
  readonly method: 'GET' | 'POST'
  /** Names the endpoint in errors. */
  readonly path: string
  readonly target: string
  readonly body?: string | undefined
  readonly limitBytes: number
  readonly onCancel: OnCancel
}): Promise<RawAnswer> {
  const { pool, origin, method, path, target, body = null, limitBytes, onCancel } = parameters
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let givenUp: Error | undefined
    let status = 0
    let headers: Headers = {}
    let isUnwanted = false
    let sizeBytes = 0
    const chunks: Buffer[] = []
    const giveUp = (error: Error): void => {
      givenUp = error
      reject(error)
      connection?.abort(error)
    }
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length
      if (isUnwanted && sizeBytes > UNWANTED_LIMIT_BYTES) giveUp(new Error('nobody wants the body'))
      else if (sizeBytes > limitBytes) giveUp(apiError('RESPONSE_TOO_LARGE', { path, limitBytes }))
      else if (!isUnwanted) chunks.push(chunk)
    }
    onCancel(() => giveUp(new Error('cancelled')))
    pool.dispatch(
      { origin, method, path: target, body, headers: body === null ? HEADERS : POST_HEADERS },
      {
        onRequestStart: (controller) => {
          connection = controller
          if (givenUp !== undefined) controller.abort(givenUp)
        },
        onResponseStart: (_, statusCode, given) => {
          if (statusCode < 200) return
          status = statusCode
          headers = given
          isUnwanted = isRedirect(statusCode)
          if (isUnwanted) resolve({ status, headers, text: '' })
        },
        onResponseData: (_, chunk) => take(chunk),
        onResponseEnd: () => {
          if (isUnwanted) return
          try {
            resolve({ status, headers, text: decoded(chunks, path) })
          } catch (error) {
            reject(error)
          }
        },
        onResponseError: (_, error) => reject(error),
      },
    )
  })
}

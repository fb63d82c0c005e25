import { apiError } from '@hailstone/protocol'
import type { Dispatcher } from 'undici'
import { isRedirect } from '../transport/redirect.ts'
import type { OnCancel } from '../transport/with-deadline.ts'
import { joinChunks } from './join-chunks.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An answer as it came; the body of a redirect is not read. */
export type RawAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** More of a body that nobody wants is not worth the connection. */
const UNWANTED_LIMIT_BYTES = 16 * 1024

/** Informational answers (1xx) before the real one. Servers send one or two. */
const EARLY_ANSWERS_LIMIT = 16

const HEADERS = { accept: 'application/json' }
const POST_HEADERS = { ...HEADERS, 'content-type': 'application/json' }

/** Reads whole texts only, so it keeps nothing from one to the next. */
const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(bytes: Buffer, path: string): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw apiError('RESPONSE_INVALID', { path, reason: 'the body is not UTF-8' }, { cause: error })
  }
}

/**
 * One request and its answer to the end, or to as much of it as anybody wants: until then it can be cancelled, so no
 * connection is left with an answer that never ends. Without the streams and signals of `Pool.request`, which cost
 * as much as the rest.
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
  const { pool, origin, method, path, target, body: sent = null, limitBytes, onCancel } = parameters
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let givenUp: Error | undefined
    let status = 0
    let headers: Headers = {}
    let isUnwanted = false
    let sizeBytes = 0
    let earlyAnswers = 0
    const body = joinChunks(limitBytes)
    const giveUp = (error: Error): void => {
      givenUp = error
      reject(error)
      connection?.abort(error)
    }
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length
      if (isUnwanted) {
        if (sizeBytes <= UNWANTED_LIMIT_BYTES) return
        resolve({ status, headers, text: '' })
        giveUp(new Error('nobody wants the body'))
      } else if (sizeBytes > limitBytes) giveUp(apiError('RESPONSE_TOO_LARGE', { path, limitBytes }))
      else body.add(chunk)
    }
    onCancel(() => giveUp(new Error('cancelled')))
    pool.dispatch(
      {
        ...{ origin, method, path: target, body: sent },
        // A copy, since undici writes the host into it when there is a proxy.
        headers: { ...(sent === null ? HEADERS : POST_HEADERS) },
      },
      {
        onRequestStart: (controller) => {
          connection = controller
          if (givenUp !== undefined) controller.abort(givenUp)
        },
        onResponseStart: (_, statusCode, given) => {
          if (statusCode < 200) {
            if (++earlyAnswers > EARLY_ANSWERS_LIMIT) giveUp(new Error('early answers without end'))
            return
          }
          status = statusCode
          headers = given
          isUnwanted = isRedirect(statusCode)
        },
        onResponseData: (_, chunk) => take(chunk),
        onResponseEnd: () => {
          try {
            resolve({ status, headers, text: isUnwanted ? '' : decoded(body.bytes(), path) })
          } catch (error) {
            reject(error)
          }
        },
        onResponseError: (_, error) => reject(error),
      },
    )
  })
}

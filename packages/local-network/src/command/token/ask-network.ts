import {
  apiError,
  decodeWith,
  type Endpoint,
  encodeQuery,
  encodeWith,
  NodeError,
  type Parameters,
  parseJson,
  paymentError,
  postTransactionEndpoint,
  type QueryOf,
  stringifyJson,
  type Transaction,
} from '@hailstone/protocol'
import { fetchThroughProxy } from '@hailstone/runtime/node'
import { reasonOf } from '../../logger.ts'

const TIMEOUT_MS = 10_000

async function request(url: string, path: string, init: RequestInit = {}): Promise<string> {
  try {
    const response = await fetchThroughProxy(url + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    if (response.ok) return text
    throw apiError('HTTP_STATUS', { path, status: response.status, message: null })
  } catch (error) {
    if (error instanceof NodeError) throw error
    const reason =
      error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : reasonOf(error)
    throw apiError('REQUEST_FAILED', { path: url + path, reason }, { cause: error })
  }
}

function read<Answer>(endpoint: Pick<Endpoint<Parameters, Answer>, 'path' | 'answer'>, text: string): Answer {
  const decoded = decodeWith(endpoint.answer, parseJson(text))
  if (decoded.ok) return decoded.value
  throw apiError('RESPONSE_INVALID', { path: endpoint.path, reason: decoded.problem.reason })
}

/**
 * Asks a running network one question; undefined for a body of zero length.
 *
 * @param url base of the HTTP interface
 * @throws {NodeError} `REQUEST_FAILED`, `HTTP_STATUS`, `RESPONSE_INVALID`, `JSON_MALFORMED`
 */
export async function askNetwork<P extends Parameters, Answer>(
  url: string,
  endpoint: Endpoint<P, Answer>,
  query: QueryOf<P>,
): Promise<Answer | undefined> {
  const text = encodeQuery(endpoint, query)
  const answer = await request(url, `${endpoint.path}${text === '' ? '' : `?${text}`}`)
  return answer === '' ? undefined : read(endpoint, answer)
}

/** @throws {NodeError} `TRANSACTION_REFUSED` and those of {@link askNetwork} */
export async function postTransaction(url: string, transaction: Transaction, hash: string): Promise<void> {
  const { body: schema, path } = postTransactionEndpoint
  if (schema === undefined) throw new TypeError('the endpoint takes no body')
  const wire = encodeWith(schema, [transaction])
  const text = await request(url, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringifyJson(wire),
  })
  const { error, message = 'it said nothing' } = read(postTransactionEndpoint, text)
  if (error !== 0) throw paymentError('TRANSACTION_REFUSED', { message, hash })
}

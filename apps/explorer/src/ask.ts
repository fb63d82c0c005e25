import {
  type Decoded,
  decodeWith,
  type Endpoint,
  encodeQuery,
  type Parameters,
  parseJson,
  type QueryOf,
} from '@hailstone/protocol'

const API = '/api/v1'

/**
 * Asks the node that serves the page. Undefined for an empty answer, which means "nothing", and for what it says it
 * does not have.
 *
 * @throws {Error} with a sentence for people
 */
export async function ask<P extends Parameters, A>(
  endpoint: Endpoint<P, A>,
  query: QueryOf<P>,
  signal: AbortSignal,
): Promise<A | undefined> {
  const text = encodeQuery(endpoint, query)
  const response = await fetch(API + endpoint.path + (text === '' ? '' : `?${text}`), { signal })
  const body = await response.text()
  if (response.status === 404 || body === '') return undefined
  if (!response.ok) throw new Error(`The node answered with status ${response.status}.`)
  const decoded: Decoded<A> = decodeWith(endpoint.answer, parseJson(body))
  if (decoded.ok) return decoded.value
  throw new Error(`The node's answer to ${endpoint.path} cannot be read.`)
}

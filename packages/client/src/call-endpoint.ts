import { apiError, type Endpoint, encodeQuery, type Parameters, type QueryOf } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from './client-core.ts'
import { type EndpointAnswer, readEndpointAnswer } from './endpoint-answer.ts'
import { requestWithRetries } from './transport/request-with-retries.ts'

export type CallOptions = Cancellable & {
  /** For this call with its retries. @default the client's */
  readonly timeoutMs?: number | undefined
}

async function ask<P extends Parameters, T>(
  client: ClientCore,
  endpoint: Endpoint<P, T>,
  query: QueryOf<P>,
  { signal, timeoutMs = client.timeoutMs }: CallOptions,
): Promise<EndpointAnswer<T>> {
  const { path } = endpoint
  const request = { method: 'GET', path, query: encodeQuery(endpoint, query), timeoutMs, signal } as const
  const answer = await requestWithRetries(client, request)
  try {
    return readEndpointAnswer(endpoint, answer)
  } catch (error) {
    if (answer.source !== undefined) client.transport.distrust?.(answer.source)
    throw error
  }
}

function valueIn<T>(path: string, answer: EndpointAnswer<T>): T | undefined {
  if (answer.kind === 'value') return answer.value
  if (answer.kind === 'nothing') return undefined
  throw apiError('HTTP_STATUS', { path, status: answer.status, message: answer.message })
}

/**
 * Asks an endpoint; whatever is not its answer is an error. `undefined` only where the endpoint may answer
 * with an empty body.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`,
 *   `RESPONSE_TOO_LARGE`, `URL_REFUSED`
 */
export async function callEndpointOrNothing<P extends Parameters, T>(
  client: ClientCore,
  endpoint: Endpoint<P, T>,
  query: QueryOf<P>,
  options: CallOptions = {},
): Promise<T | undefined> {
  return valueIn(endpoint.path, await ask(client, endpoint, query, options))
}

/** As {@link callEndpointOrNothing}, for endpoints that always have an answer. */
export async function callEndpoint<P extends Parameters, T>(
  client: ClientCore,
  endpoint: Endpoint<P, T>,
  query: QueryOf<P>,
  options: CallOptions = {},
): Promise<T> {
  const value = await callEndpointOrNothing(client, endpoint, query, options)
  if (value !== undefined) return value
  throw apiError('RESPONSE_INVALID', { path: endpoint.path, reason: 'the body is empty' })
}

/**
 * Looks something up that the network may not have: an empty body and the network's own 400 or 404 mean
 * "not available". A 404 without its error object is a wrong address, and stays an error.
 *
 * @throws as {@link callEndpointOrNothing}
 */
export async function lookUp<P extends Parameters, T>(
  client: ClientCore,
  endpoint: Endpoint<P, T>,
  query: QueryOf<P>,
  options: CallOptions = {},
): Promise<T | undefined> {
  const answer = await ask(client, endpoint, query, options)
  const isAbsent = answer.kind === 'refused' && answer.message !== null && [400, 404].includes(answer.status)
  return isAbsent ? undefined : valueIn(endpoint.path, answer)
}

import { type Endpoint, encodeWith, type Parameters, stringifyJson } from '@hailstone/protocol'
import type { CallOptions } from './call-endpoint.ts'
import type { ClientCore } from './client-core.ts'
import { readEndpointAnswer } from './endpoint-answer.ts'
import { requestWithRetries } from './transport/request-with-retries.ts'
import { noteHeight } from './transport/seen-heights.ts'

/**
 * Posts a body once; nothing here repeats it.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`,
 *   `RESPONSE_TOO_LARGE`, `URL_REFUSED`. After any of these but a status below 500 the network may nevertheless have acted on the body.
 */
export async function postEndpoint<P extends Parameters, T, B>(
  client: ClientCore,
  endpoint: Endpoint<P, T, B>,
  content: B,
  { signal, timeoutMs = client.timeoutMs }: CallOptions = {},
): Promise<T | undefined> {
  const { path, body: schema } = endpoint
  const body = schema === undefined ? undefined : stringifyJson(encodeWith(schema, content))
  const request = { method: 'POST', path, body, timeoutMs, signal } as const
  try {
    const answer = await requestWithRetries(client, request)
    const value = readEndpointAnswer(endpoint, answer)
    noteHeight(client, answer)
    return value
  } catch (error) {
    throw client.diagnostics?.explained(error, client.apiUrl + path) ?? error
  }
}

import { type Endpoint, encodeWith, type Parameters, stringifyJson } from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import type { CallOptions } from './call-endpoint.ts'
import type { ClientCore } from './client-core.ts'
import { readEndpointAnswer } from './endpoint-answer.ts'
import { isRedirect, postRedirected } from './transport/redirect.ts'
import { afterCall } from './transport/retry-policy.ts'
import type { TransportAnswer, TransportRequest } from './transport/transport.ts'

/**
 * Posts a body once; nothing here repeats it.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`,
 *   `RESPONSE_TOO_LARGE`, `URL_REFUSED`. The network may nevertheless have acted on the body after any of these, but for a
 *   status by which a request itself is refused, such as 400 or 413.
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
    const answer = await requestOnce(client, request)
    // A browser hides the redirect as an answer without a status; Node shows its status.
    if (answer.status === 0 || isRedirect(answer.status)) throw postRedirected(null)
    return readEndpointAnswer(endpoint, answer)
  } catch (error) {
    throw client.diagnostics?.explained(error, client.apiUrl + path) ?? error
  }
}

async function requestOnce(client: ClientCore, request: TransportRequest): Promise<TransportAnswer> {
  const { transport, memory, retry } = client
  const { timeoutMs, signal } = request
  throwIfAborted(signal)
  memory.retries = afterCall(memory.retries, retry)
  const attemptMs = Math.min(timeoutMs, retry.attemptTimeoutMs ?? timeoutMs)
  try {
    return await transport.request({ ...request, timeoutMs: attemptMs })
  } catch (error) {
    throwIfAborted(signal)
    throw error
  }
}

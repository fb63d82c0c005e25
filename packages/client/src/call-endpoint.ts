import { type Endpoint, encodeQuery, isNodeError, type Parameters, type QueryOf } from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import { answerFault } from './answer-fault.ts'
import type { Cancellable, ClientCore } from './client-core.ts'
import { readEndpointAnswer } from './endpoint-answer.ts'
import { requestTarget } from './transport/api-url.ts'
import { onAbort } from './transport/on-abort.ts'
import { requestWithRetries } from './transport/request-with-retries.ts'

export type CallOptions = Cancellable & {
  /** For this call with its retries. @default the client's */
  readonly timeoutMs?: number | undefined
}

/** Lets an answer be used again. */
type KeepOptions<T> = {
  /**
   * Takes an answer that this client read at most so many ms ago, or that it waits for at the moment. With 0 the answer is
   * not kept for others either.
   *
   * @default none is taken
   */
  readonly maxAgeMs?: number | undefined
  /** True for a value whose answer may be used again. @default none is kept */
  readonly isKept?: ((value: T) => boolean) | undefined
}

/** Answers that a client keeps, and the longest that it keeps, in characters. */
const ANSWERS_KEPT = 32
const LONGEST_KEPT = 65_536

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
  { signal, timeoutMs = client.timeoutMs, maxAgeMs, isKept }: CallOptions & KeepOptions<T> = {},
): Promise<T | undefined> {
  const { path } = endpoint
  const { answers, asking } = client.memory
  client.diagnostics?.check(endpoint.parameters, query)
  const request = { method: 'GET', path, query: encodeQuery(endpoint, query), timeoutMs, signal } as const
  const target = requestTarget(request)
  const now = client.clock.monotonicMs
  // Whoever has another time limit asks by itself.
  const isTaken = isKept && maxAgeMs
  const isShared = isTaken && timeoutMs === client.timeoutMs
  if (isTaken) {
    const other = isShared && asking.get(target)
    if (other) await join(other, signal)
    const kept = answers.get(target)
    if (kept && now() - kept.readAt < maxAgeMs) return readEndpointAnswer(endpoint, kept.answer)
  }
  const called = call()
  if (isShared) {
    const end = (): void => void asking.delete(target)
    asking.set(target, called)
    called.then(end, end)
  }
  return called

  async function call(): Promise<T | undefined> {
    let source: string | undefined
    try {
      const readAt = now()
      const answer = await requestWithRetries(client, request)
      source = answer.source
      const value = readEndpointAnswer(endpoint, answer)
      if (value !== undefined && answer.text.length <= LONGEST_KEPT && isKept?.(value)) {
        // An answer that was asked for later may have come earlier.
        const kept = answers.get(target)
        if (!kept || kept.readAt <= readAt) answers.delete(target)
        if (maxAgeMs !== 0 && !answers.has(target)) answers.set(target, { answer, readAt })
        const [oldest] = answers.keys()
        if (oldest !== undefined && answers.size > ANSWERS_KEPT) answers.delete(oldest)
      }
      return value
    } catch (error) {
      if (source !== undefined && isNodeError(error, 'RESPONSE_INVALID')) client.transport.distrust?.(source)
      throw client.diagnostics?.explained(error, (source ?? client.apiUrl) + target) ?? error
    }
  }
}

/**
 * Waits for the same request of another caller, at most until a signal fires.
 *
 * @throws {NodeError} `REQUEST_TIMEOUT` of that request: to ask again would take as long once more
 */
async function join(other: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const failure = await new Promise<unknown>((resolve) => {
    const stop = (): void => resolve(undefined)
    other.then(stop, resolve).then(onAbort(signal, stop))
  })
  throwIfAborted(signal)
  if (isNodeError(failure, 'REQUEST_TIMEOUT')) throw failure
}

/** Like {@link callEndpointOrNothing}, for endpoints that always have an answer. */
export async function callEndpoint<P extends Parameters, T>(
  client: ClientCore,
  endpoint: Endpoint<P, T>,
  query: QueryOf<P>,
  options?: CallOptions & KeepOptions<T>,
): Promise<T> {
  const value = await callEndpointOrNothing(client, endpoint, query, options)
  if (value === undefined) throw answerFault(endpoint.path, 'the body is empty')
  return value
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
  options?: CallOptions & KeepOptions<T>,
): Promise<T | undefined> {
  try {
    return await callEndpointOrNothing(client, endpoint, query, options)
  } catch (error) {
    if (!isNodeError(error, 'HTTP_STATUS')) throw error
    const { status, message } = error.facts
    if (message === null || ![400, 404].includes(status)) throw error
    return undefined
  }
}

/**
 * Takes what an action threw: an old server does not have the route, and answers without the network's error object.
 * Anything else is thrown again.
 */
export function undefinedIfOldServer(error: unknown): undefined {
  if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404 && error.facts.message === null) return
  throw error
}

import { apiError, isNodeError } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { isNodeFault } from './node-score.ts'
import { afterCall, retryDelay } from './retry-policy.ts'
import { noteRefusal, statedHeight } from './seen-heights.ts'
import { CLIENT_CLOSED, type TransportAnswer, type TransportRequest } from './transport.ts'

/**
 * Makes a GET and repeats it while the policy allows. All attempts and pauses together stay
 * within `timeoutMs`.
 *
 * @throws what the transport throws; the reason of the caller's signal
 */
export async function requestWithRetries(
  client: ClientCore,
  request: TransportRequest,
): Promise<TransportAnswer> {
  const { clock, retry: policy, memory } = client
  const { path, timeoutMs, signal } = request
  signal?.throwIfAborted()
  const endMs = clock.monotonicMs() + timeoutMs
  const leftMs = (): number => endMs - clock.monotonicMs()
  memory.retries = afterCall(memory.retries, policy)
  for (let attempt = 1; ; attempt++) {
    let answer: TransportAnswer | undefined
    let failure: unknown
    try {
      const attemptMs = Math.max(1, Math.min(leftMs(), policy.attemptTimeoutMs ?? timeoutMs))
      answer = await ask(client, { ...request, timeoutMs: attemptMs })
      if (answer.status === 200) return answer
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      failure = error
    }
    const { retries } = memory
    const asked = { policy, attempt, answer, retries, remainingMs: leftMs(), nowMs: clock.now() }
    const delayMs = retryDelay({ ...asked, random: client.randomness() })
    if (delayMs === null) {
      if (answer !== undefined) return answer
      // The last attempt only knows what was left of the deadline.
      throw isNodeError(failure, 'REQUEST_TIMEOUT')
        ? apiError('REQUEST_TIMEOUT', { path, timeoutMs }, { cause: failure })
        : failure
    }
    memory.retries--
    client.logger.debug('request repeated', { path, attempt, status: answer?.status ?? null })
    await clock.sleep(delayMs, signal)
  }
}

/**
 * Sends a GET once. It requires of the address the height that it stated before the request; an answer that
 * states less counts as a refusal.
 *
 * @throws {NodeError} `REQUEST_FAILED` for an answer of a lower height that is not a 503
 */
async function ask(client: ClientCore, request: TransportRequest): Promise<TransportAnswer> {
  const { transport, memory } = client
  const { seen } = memory
  const minHeightOf = (source: string = ''): number | undefined => seen.get(source)?.height
  const answer = await transport.request({ ...request, minHeight: minHeightOf(), minHeightOf })
  const { status, source } = answer
  const isOlder = (statedHeight(answer) ?? Number.POSITIVE_INFINITY) < (minHeightOf(source) ?? 0)
  if (!isOlder || (isNodeFault(status) && status !== 503)) return answer
  noteRefusal(client, source)
  if (status === 503) return answer
  if (source !== undefined) transport.distrust?.(source)
  throw apiError('REQUEST_FAILED', { path: request.path, reason: 'the answer is older than one before' })
}

/** True if a retry may succeed. */
const isPassing = (error: unknown): boolean =>
  isNodeError(error, 'REQUEST_TIMEOUT') ||
  (isNodeError(error, 'REQUEST_FAILED') && error.facts.reason !== CLIENT_CLOSED)

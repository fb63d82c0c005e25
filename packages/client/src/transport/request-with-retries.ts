import { apiError, isNodeError } from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import type { ClientCore } from '../client-core.ts'
import { afterCall, retryDelay } from './retry-policy.ts'
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
  const { transport, clock, retry: policy, memory } = client
  const { path, timeoutMs, signal } = request
  throwIfAborted(signal)
  const endMs = clock.monotonicMs() + timeoutMs
  const leftMs = (): number => endMs - clock.monotonicMs()
  memory.retries = afterCall(memory.retries, policy)
  let longest = { lastedMs: -1, failure: undefined as unknown }
  for (let attempt = 1; ; attempt++) {
    let answer: TransportAnswer | undefined
    let failure: unknown
    const beganMs = clock.monotonicMs()
    try {
      const attemptMs = Math.max(1, Math.min(leftMs(), policy.attemptTimeoutMs ?? timeoutMs))
      answer = await transport.request({ ...request, timeoutMs: attemptMs })
      if (answer.status === 200) return answer
    } catch (error) {
      throwIfAborted(signal)
      if (!isPassing(error)) throw error
      failure = error
      const lastedMs = clock.monotonicMs() - beganMs
      if (lastedMs >= longest.lastedMs) longest = { lastedMs, failure }
    }
    const delayMs = retryDelay({
      policy,
      attempt,
      answer,
      retries: memory.retries,
      remainingMs: leftMs(),
      random: client.randomness(),
      nowMs: clock.now(),
    })
    if (delayMs === null) {
      if (answer !== undefined) return answer
      if (!isNodeError(failure, 'REQUEST_TIMEOUT')) throw failure
      // The last attempt only knows what was left of the deadline; one that had more time may know a reason.
      throw isNodeError(longest.failure, 'REQUEST_TIMEOUT')
        ? apiError('REQUEST_TIMEOUT', { path, timeoutMs }, { cause: failure })
        : longest.failure
    }
    memory.retries--
    client.logger.debug('request repeated', { path, attempt, status: answer?.status ?? null })
    await clock.sleep(delayMs, signal)
  }
}

/** True if a retry may succeed. */
const isPassing = (error: unknown): boolean =>
  isNodeError(error, 'REQUEST_TIMEOUT') ||
  (isNodeError(error, 'REQUEST_FAILED') && error.facts.reason !== CLIENT_CLOSED)

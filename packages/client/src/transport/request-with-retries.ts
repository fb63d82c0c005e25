import { apiError, isNodeError } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { afterCall, retryDelay } from './retry-policy.ts'
import { CLIENT_CLOSED, type TransportAnswer, type TransportRequest } from './transport.ts'

/** A chain that is nowhere as far as it was for so long went back, in ms. */
const FORGOTTEN_AFTER_MS = 30_000

/**
 * Remembers the height that an answer states. Each further GET requires it, so a client of a network that several
 * processes serve never sees an older state after a newer one. Networks that state no height are asked as they always were.
 */
function noteHeight({ memory, clock }: ClientCore, { height, status }: TransportAnswer): void {
  if (!height || !/^\d{1,15}$/.test(height)) return
  const stated = Number(height)
  const { seenHeight = 0 } = memory
  const isRefusal = stated < seenHeight && status === 503
  if (isRefusal) memory.lowerSince ??= clock.monotonicMs()
  const lowerMs = isRefusal ? clock.monotonicMs() - (memory.lowerSince ?? 0) : 0
  if (stated < seenHeight && lowerMs < FORGOTTEN_AFTER_MS) return
  memory.seenHeight = stated
  memory.lowerSince = undefined
}

/**
 * Makes a request and, for a GET, repeats it while the policy allows. All attempts and pauses together stay
 * within `timeoutMs`.
 *
 * @throws what the transport throws; the reason of the caller's signal
 */
export async function requestWithRetries(
  client: ClientCore,
  request: TransportRequest,
): Promise<TransportAnswer> {
  const { clock, retry: policy, memory } = client
  const { method, path, timeoutMs, signal } = request
  signal?.throwIfAborted()
  const endMs = clock.monotonicMs() + timeoutMs
  const leftMs = (): number => endMs - clock.monotonicMs()
  memory.retries = afterCall(memory.retries, policy)
  for (let attempt = 1; ; attempt++) {
    let answer: TransportAnswer | undefined
    let failure: unknown
    try {
      const attemptMs = Math.max(1, Math.min(leftMs(), policy.attemptTimeoutMs ?? timeoutMs))
      const minHeight = method === 'GET' ? memory.seenHeight : undefined
      answer = await client.transport.request({ ...request, minHeight, timeoutMs: attemptMs })
      noteHeight(client, answer)
      if (answer.status === 200) return answer
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      failure = error
    }
    const { retries } = memory
    const asked = { policy, attempt, answer, retries, remainingMs: leftMs(), nowMs: clock.now() }
    const delayMs = method === 'POST' ? null : retryDelay({ ...asked, random: client.randomness() })
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

/** True if a retry may succeed. */
const isPassing = (error: unknown): boolean =>
  isNodeError(error, 'REQUEST_TIMEOUT') ||
  (isNodeError(error, 'REQUEST_FAILED') && error.facts.reason !== CLIENT_CLOSED)

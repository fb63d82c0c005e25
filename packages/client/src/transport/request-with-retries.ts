import { apiError, isNodeError, type NodeError } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { isWorthAnotherTry } from './failure-reason.ts'
import { afterCall, decideRetry, type RetryCause } from './retry-policy.ts'
import type { TransportAnswer, TransportRequest } from './transport.ts'

/** One request that was made: an answer, perhaps a temporary refusal, or a failure. */
type Attempt =
  | { readonly answer: TransportAnswer; readonly cause: RetryCause | null }
  | { readonly error: NodeError; readonly cause: RetryCause }

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
  const { clock, retry: policy, logger, memory } = client
  request.signal?.throwIfAborted()
  const startedAtMs = clock.monotonicMs()
  memory.retryBudget = afterCall(memory.retryBudget, policy)
  for (let attempt = 1; ; attempt++) {
    const leftMs = (): number => request.timeoutMs - (clock.monotonicMs() - startedAtMs)
    const made = await attemptOf(client, request, leftMs())
    if (made.cause === null || request.method === 'POST') return outcome(made, request)
    const decision = decideRetry({
      policy,
      attempt,
      cause: made.cause,
      budget: memory.retryBudget,
      remainingMs: leftMs(),
      random: client.randomness(),
      nowMs: clock.now(),
    })
    if (!decision.retry) return outcome(made, request)
    memory.retryBudget = decision.budget
    logger.debug('request repeated', { path: request.path, attempt, cause: made.cause.kind })
    await clock.sleep(decision.delayMs, request.signal)
  }
}

async function attemptOf(client: ClientCore, request: TransportRequest, leftMs: number): Promise<Attempt> {
  const timeoutMs = Math.max(1, Math.min(leftMs, client.retry.attemptTimeoutMs ?? leftMs))
  try {
    const answer = await client.transport.request({ ...request, timeoutMs })
    const { status, retryAfter = null } = answer
    return { answer, cause: status === 200 ? null : { kind: 'status', status, retryAfter } }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (isNodeError(error, 'REQUEST_TIMEOUT')) return { error, cause: { kind: 'timeout' } }
    if (isNodeError(error, 'REQUEST_FAILED') && isWorthAnotherTry(error)) {
      return { error, cause: { kind: 'network' } }
    }
    throw error
  }
}

function outcome(made: Attempt, { path, timeoutMs }: TransportRequest): TransportAnswer {
  if ('answer' in made) return made.answer
  // The last attempt only knows what was left of the deadline.
  if (made.cause.kind === 'timeout') {
    throw apiError('REQUEST_TIMEOUT', { path, timeoutMs }, { cause: made.error })
  }
  throw made.error
}

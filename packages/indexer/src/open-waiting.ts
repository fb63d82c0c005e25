import type { Client } from '@hailstone/client'
import { isConnectionLoss } from '@hailstone/database'
import { isNodeError } from '@hailstone/protocol'
import { causeText, judgeFailure, opensLater } from './judge-failure.ts'

/** Returns a failure as a sentence, which names the database if it caused it. */
export function storeLossText(error: unknown): string {
  const loss = isNodeError(error, 'STORE_UNREACHABLE') ? error.cause : error
  return isConnectionLoss(loss) ? `The database does not answer (${causeText(loss)}).` : judgeFailure(loss)[1]
}

/**
 * Resolves with what `open` returns. A server that is away, or refuses what may pass, is asked again every `pollMs`.
 *
 * @param parameters.onStoreLost called with each failure that is waited for; what it throws ends the wait
 * @throws what `open` throws if a person has to settle it
 */
export async function openWaiting<T>(
  open: () => Promise<T>,
  parameters: {
    readonly clock: Client['clock']
    readonly pollMs: number
    readonly onStoreLost: (error: unknown) => void
    readonly signal?: AbortSignal | undefined
  },
): Promise<T> {
  const { clock, pollMs, onStoreLost, signal } = parameters
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!opensLater(error)) throw error
      onStoreLost(error)
      await clock.sleep(pollMs, signal)
    }
  }
}

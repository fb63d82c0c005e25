import { keystoreError } from '@hailstone/protocol'
import { abortReason, throwIfAborted } from '@hailstone/runtime'
import type { Clock } from '../transport/clock.ts'
import { onAbort } from '../transport/on-abort.ts'

/** Time limit of one signature of a payment in ms: a person may have to read it on a device. */
export const SIGNING_TIMEOUT_MS = 120_000

/**
 * Resolves to what a signer answers; an answer that is there at once is not waited for. What comes after the time limit,
 * or after a signal fired, is dropped.
 *
 * @throws {NodeError} `SIGNER_FAILED` after the time limit; the reason of a signal that fires; what the signer throws
 */
export async function signedInTime<T>(
  sign: () => T | Promise<T>,
  limits: {
    readonly timeoutMs: number
    readonly clock: Clock
    readonly signals: readonly (AbortSignal | undefined)[]
  },
): Promise<T> {
  const { timeoutMs, clock, signals } = limits
  for (const signal of signals) throwIfAborted(signal)
  const answer = sign()
  if (!isLate(answer)) return answer
  const settled = new AbortController()
  const undoing: (() => void)[] = []
  try {
    return await new Promise<T>((resolve, reject) => {
      for (const signal of signals) undoing.push(onAbort(signal, () => reject(abortReason(signal))))
      const late = keystoreError('SIGNER_FAILED', { reason: `it took longer than ${timeoutMs} ms` })
      clock.sleep(timeoutMs, settled.signal).then(
        () => reject(late),
        () => undefined,
      )
      Promise.resolve(answer).then(resolve, reject)
    })
  } finally {
    settled.abort()
    for (const undo of undoing) undo()
  }
}

const isLate = <T>(answer: T | Promise<T>): answer is Promise<T> => typeof Object(answer).then === 'function'

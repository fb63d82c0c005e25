import type { ClientCore } from '@hailstone/client'
import type { NodeError } from '@hailstone/protocol'
import { abortReason } from '@hailstone/runtime'
import { listenerReport, type ReportTo } from '../failure.ts'
import { pollDelayMs } from '../repeat.ts'
import type { Reward } from './reward.ts'

/** Passed to a listener with each reward: the attempt, and a signal that aborts it. */
export type Delivery = {
  /** Aborts when the watch is stopped. A listener that then rejects has not taken the reward. */
  readonly signal: AbortSignal
  /** Counts from 1. */
  readonly attempt: number
}

/** Takes one reward. Nothing else is handed out before its promise settles; a rejection is tried again. */
export type RewardListener = (reward: Reward, delivery: Delivery) => unknown

/** A reward that its listener rejected `attempt` times, the last time with `error`. */
export type UndeliveredReward = Delivery & {
  readonly event: 'rewarded' | 'reverted'
  readonly reward: Reward
  /** `LISTENER_FAILED`; its cause is what the listener threw. */
  readonly error: NodeError
}

export type DeliveryOptions = {
  /**
   * Takes rewards that their listener keeps rejecting, after which the next one is handed out. Rejections of its own
   * are tried again together with the listener. @default never: the watch holds until the listener takes the reward
   */
  readonly onUndelivered?: ((undelivered: UndeliveredReward) => unknown) | undefined
  /** Attempts before `onUndelivered` is called. @default 5 */
  readonly maxAttempts?: number | undefined
}

export type Deliveries = {
  /**
   * Calls a listener until it takes the reward, with pauses that grow up to 15 s. Returns false when the reward has to
   * be read again first.
   *
   * @throws the reason of the signal, once it is aborted and the listener has rejected
   */
  readonly deliver: (parameters: {
    readonly event: UndeliveredReward['event']
    readonly listener: RewardListener
    readonly reward: Reward
    readonly signal: AbortSignal
    /** True when the chain was reorganised since the reward was read. */
    readonly isOutdated: () => boolean
  }) => Promise<boolean>
  /** True where the caller is a listener, before its first `await`. */
  readonly isInside: () => boolean
}

/** After which a listener that does not answer is reported. */
const SILENT_MS = 60_000

export function createDeliveries(
  parameters: DeliveryOptions & {
    readonly client: Pick<ClientCore, 'clock' | 'randomness'>
  } & ReportTo,
): Deliveries {
  const { client, onUndelivered, maxAttempts = 5 } = parameters
  let isCalling = false

  /** Waits for a listener; that it does not answer is reported once. */
  async function reportedLate(given: unknown, report: (cause: unknown) => unknown): Promise<void> {
    if (typeof Object(given).then !== 'function') return
    const answered = new AbortController()
    client.clock.sleep(SILENT_MS, answered.signal).then(
      () => report(`it has not answered for ${SILENT_MS / 1_000} s`),
      () => undefined,
    )
    try {
      await given
    } finally {
      answered.abort()
    }
  }

  return {
    isInside: () => isCalling,
    deliver: async ({ event, listener, reward, signal, isOutdated }) => {
      const report = listenerReport(event, parameters)
      const call = async (work: () => unknown): Promise<NodeError | null> => {
        try {
          isCalling = true
          const given = work()
          isCalling = false
          await reportedLate(given, report)
          return null
        } catch (cause) {
          if (signal.aborted) throw abortReason(signal)
          return report(cause)
        } finally {
          isCalling = false
        }
      }
      for (let attempt = 1; ; attempt++) {
        const error = await call(() => listener(reward, { signal, attempt }))
        if (error === null) return true
        const isUndelivered = onUndelivered !== undefined && attempt >= maxAttempts
        if (isUndelivered && !(await call(() => onUndelivered({ event, reward, error, signal, attempt })))) {
          return true
        }
        const random = client.randomness()
        await client.clock.sleep(pollDelayMs({ intervalMs: 500, failures: attempt, random }), signal)
        if (isOutdated()) return false
      }
    },
  }
}

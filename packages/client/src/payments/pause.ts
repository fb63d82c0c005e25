/** Pace of the polls and repeated sends of one payment. */
export type Pace = {
  /** Pause between two questions, at first. */
  readonly pollMs: number
  /** Uniform in [0, 1). */
  readonly random: number
}

const SLOWEST_LOOK = 8
const SLOWEST_SEND = 30

/** Pause before the next question: longer the longer nothing has changed, up to eight polls. */
export const lookPauseMs = (quietLooks: number, { pollMs, random }: Pace): number =>
  pollMs * Math.min(1.15 ** quietLooks, SLOWEST_LOOK) * (0.9 + 0.2 * random)

/** Pause before bytes are sent once more: none the first time, then growing up to thirty polls. */
export const sendPauseMs = (timesSent: number, { pollMs, random }: Pace): number =>
  timesSent < 2 ? 0 : pollMs * Math.min(2 ** (timesSent - 2), SLOWEST_SEND) * (0.75 + 0.5 * random)

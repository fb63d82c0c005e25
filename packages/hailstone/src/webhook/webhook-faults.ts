/** Reason for which webhooks wait or are not kept, as long as it lasts. */
export type WebhookFault = {
  /** A few words, for a line of a screen. */
  readonly why: string
  /** Sentence for people. */
  readonly message: string
  /** Unix milliseconds at which it began. */
  readonly sinceMs: number
}

export type WebhookFaults = {
  /**
   * Begins a fault, or goes on with it: the reason is the newest one.
   *
   * @param overAfterMs time after which it ends by itself, unless it goes on. @default never
   */
  readonly begin: (kind: string, fault: Pick<WebhookFault, 'why' | 'message'>, overAfterMs?: number) => void
  readonly end: (kind: string) => void
  /** Reports what is over at once, such as an event that is lost. */
  readonly report: (kind: string, message: string) => void
  /** Returns the oldest fault that has not ended, or null. */
  readonly current: () => WebhookFault | null
}

const REPORT_EVERY_MS = 60_000

/**
 * Creates the record of what goes wrong with webhooks. Kinds are apart, since an attempt that failed must not hide an
 * event that is lost.
 *
 * @param onFault called with a sentence for people, at most once a minute for each kind
 */
export function createWebhookFaults(onFault: (message: string) => void): WebhookFaults {
  const begun = new Map<string, { readonly fault: WebhookFault; readonly overAt: number }>()
  const reportedAt = new Map<string, number>()

  /** Undefined for one that ended by itself, too. */
  function lasting(kind: string): WebhookFault | undefined {
    const { fault, overAt = 0 } = begun.get(kind) ?? {}
    return overAt > performance.now() ? fault : undefined
  }

  function report(kind: string, message: string): void {
    const now = performance.now()
    if (now - (reportedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return
    reportedAt.set(kind, now)
    onFault(message)
  }

  return {
    begin: (kind, fault, overAfterMs = Number.POSITIVE_INFINITY) => {
      const sinceMs = lasting(kind)?.sinceMs ?? Date.now()
      begun.set(kind, { fault: { ...fault, sinceMs }, overAt: performance.now() + overAfterMs })
      report(kind, fault.message)
    },
    end: (kind) => void begun.delete(kind),
    report,
    current: () => oldestFault([...begun.keys()].map((kind) => lasting(kind) ?? null)),
  }
}

/** Returns the fault that began first, or null. */
export const oldestFault = (faults: readonly (WebhookFault | null)[]): WebhookFault | null =>
  faults.reduce(
    (oldest, fault) => (fault !== null && fault.sinceMs < (oldest?.sinceMs ?? Infinity) ? fault : oldest),
    null,
  )

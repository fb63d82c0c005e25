/** Takes part in the election of the leading tab, the one tab of this browser that mines. */
export type TabLeader = {
  /** Queues for leadership; does nothing if already queued or leading. */
  readonly campaign: () => void
  /** Gives leadership up; resolves when everything that `onElected` opened is closed. */
  readonly resign: () => Promise<void>
}

/** Waits before a tab queues anew after it could not lead, in ms; the last one counts for all further. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000] as const

/**
 * Elects one leader across tabs with a Web Lock: the browser hands the lock to the next tab when its holder resigns,
 * closes or crashes, without a heartbeat. A tab that could not open what a leader needs lets another one lead, and queues
 * again: what failed may be one reading of the storage, or one part of the app that did not load.
 */
export function createTabLeader(parameters: {
  readonly name: string
  /** Called when this tab becomes the leader; resolves with a function that closes what it opened. */
  readonly onElected: () => Promise<() => Promise<void>>
}): TabLeader {
  const { name, onElected } = parameters
  let request: AbortController | null = null
  let release: (() => void) | null = null
  let settled: Promise<void> = Promise.resolve()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function lead({ signal }: AbortController): Promise<void> {
    // The lock may be granted at the moment in which this tab resigns.
    if (signal.aborted) return
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const close = await onElected()
    failures = 0
    await released
    await close()
  }

  function campaign(): void {
    if (request !== null) return
    clearTimeout(timer)
    const controller = new AbortController()
    request = controller
    settled = navigator.locks
      .request(name, { mode: 'exclusive', signal: controller.signal }, () => lead(controller))
      .catch(() => {
        if (controller.signal.aborted) return
        request = null
        release = null
        timer = setTimeout(campaign, PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)])
      })
  }

  async function resign(): Promise<void> {
    const before = settled
    clearTimeout(timer)
    request?.abort()
    release?.()
    request = null
    release = null
    await before
  }
  return { campaign, resign }
}

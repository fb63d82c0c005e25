/** Takes part in the election of the leading tab, the one tab of this browser that mines. */
export type TabLeader = {
  /** Queues for leadership; does nothing if already queued or leading. */
  readonly campaign: () => void
  /** Gives leadership up; resolves when everything that `onElected` opened is closed. */
  readonly resign: () => Promise<void>
}

/**
 * Elects one leader across tabs with a Web Lock: the browser hands the lock to the next tab when its holder resigns,
 * closes or crashes, without a heartbeat.
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

  async function lead({ signal }: AbortController): Promise<void> {
    // The lock may be granted at the moment in which this tab resigns.
    if (signal.aborted) return
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const close = await onElected()
    await released
    await close()
  }

  function campaign(): void {
    if (request !== null) return
    const controller = new AbortController()
    request = controller
    settled = navigator.locks
      .request(name, { mode: 'exclusive', signal: controller.signal }, () => lead(controller))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        // The lock is free again, and this tab may queue for it anew.
        request = null
        release = null
        throw error
      })
  }

  async function resign(): Promise<void> {
    const before = settled
    request?.abort()
    release?.()
    request = null
    release = null
    await before
  }
  return { campaign, resign }
}

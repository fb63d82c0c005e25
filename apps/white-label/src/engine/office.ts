/** Holds an office that one tab of this browser has at a time. */
export type Office = {
  /** Waits for the office, unless it is waited for already. */
  readonly apply: () => void
  /** Gives it back, once its holder has put everything down. */
  readonly resign: () => Promise<void>
}

/**
 * One owner across tabs. The browser gives the lock to the next tab when its holder resigns, closes or
 * crashes, so nobody has to watch anybody.
 */
export function createOffice(parameters: {
  readonly name: string
  /** Takes the office up; resolves with how to put everything down. */
  readonly onElected: () => Promise<() => Promise<void>>
}): Office {
  const { name, onElected } = parameters
  let applying: AbortController | null = null
  let leaving: (() => void) | null = null
  let ended: Promise<void> = Promise.resolve()

  async function serve(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      leaving = resolve
    })
    const putDown = await onElected()
    await left
    await putDown()
  }

  function apply(): void {
    if (applying !== null) return
    const controller = new AbortController()
    applying = controller
    ended = navigator.locks
      .request(name, { mode: 'exclusive', signal: controller.signal }, serve)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) throw error
      })
  }

  async function resign(): Promise<void> {
    const held = ended
    applying?.abort()
    leaving?.()
    applying = null
    leaving = null
    await held
  }
  return { apply, resign }
}

/** Reason why the demo ends: a signal, or its parent or its reader went away. */
export type EndingReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent gone' | 'output closed'

export type Ending = {
  /** Resolves with the first reason; nothing that comes later is an accident. */
  readonly asked: Promise<EndingReason>
  /** Returns the first reason, if it was given already, such as during a slow step; otherwise null. */
  readonly reason: () => EndingReason | null
}

/**
 * One Ctrl-C arrives twice: from the terminal, which signals its whole foreground group, and from npm, which passes
 * it on. What follows within this time is the same wish; later it is impatience.
 */
const SAME_SIGNAL_MS = 1_000
const PARENT_LOOK_MS = 500

/**
 * Hears everything that should end the demo, for as long as the process lives: a handler that is gone after the
 * first signal would let the second kill the process in the middle of stopping.
 *
 * @param parameters.isAlone whether whoever started the process is gone
 */
export function watchForEnding(parameters: {
  readonly isAlone: () => boolean
  readonly onSecondSignal: () => void
}): Ending {
  const { isAlone, onSecondSignal } = parameters
  let first: { readonly reason: EndingReason; readonly atMs: number } | null = null
  let resolveAsked: (reason: EndingReason) => void = () => undefined
  const asked = new Promise<EndingReason>((resolve) => {
    resolveAsked = resolve
  })

  function ask(reason: EndingReason): void {
    if (first === null) {
      first = { reason, atMs: performance.now() }
      resolveAsked(reason)
    } else if (reason.startsWith('SIG') && performance.now() - first.atMs > SAME_SIGNAL_MS) onSecondSignal()
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  // A terminal that was closed, or a reader such as `head` that went away. A full disk gets room again.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || code === 'EIO') ask('output closed')
    })
  const look = setInterval(() => {
    if (isAlone()) ask('parent gone')
  }, PARENT_LOOK_MS)
  look.unref()
  return { asked, reason: () => first?.reason ?? null }
}

import { CommandLineError } from '@hailstone/runtime/node'

/** Cancels a command by Ctrl+C or a signal, and says truly if something was written. */
export type Interruption = {
  /**
   * Runs a write to its end: a signal that comes meanwhile does not cut it off.
   *
   * @throws {CommandLineError} if the command was cancelled during an earlier write
   */
  readonly writing: <T>(write: () => Promise<T>) => Promise<T>
  /** Returns the sentence of a command that is cancelled now. */
  readonly sentence: () => string
  readonly close: () => void
}

const signals = { SIGINT: 130, SIGTERM: 143 } as const

/** Listens to signals. Other listeners, such as those of a running server, take precedence. */
export function listenToInterruption(complain: (line: string) => void): Interruption {
  let writes = 0
  let hasWritten = false
  let isCancelled = false
  const sentence = (): string =>
    hasWritten ? 'Cancelled: what was written before stays.' : 'Cancelled: nothing was written.'

  function cancel(signal: NodeJS.Signals): void {
    if (process.listenerCount(signal) > 1) return
    isCancelled = true
    if (writes > 0) return
    complain(`\n${sentence()}`)
    process.exit(signals[signal as keyof typeof signals])
  }

  for (const signal of Object.keys(signals)) process.on(signal, cancel)
  return {
    writing: async (write) => {
      if (isCancelled) throw new CommandLineError(sentence())
      writes += 1
      try {
        return await write()
      } finally {
        writes -= 1
        hasWritten = true
      }
    },
    sentence,
    close: () => {
      for (const signal of Object.keys(signals)) process.off(signal, cancel)
    },
  }
}

import { HARD_END } from './exit-codes.ts'

export type Interruption = {
  /** Resolves at the first SIGINT or SIGTERM. */
  readonly happened: Promise<void>
  /** Fires at the same moment. */
  readonly signal: AbortSignal
  readonly release: () => void
}

/** How long an orderly end may take. */
const DRAIN_MS = 2_000

/**
 * Listens for signals. After the first one the command has two seconds to end by itself; a second one ends it at
 * once, with the number shells use for that.
 *
 * @param onDrainExceeded what is done when the two seconds are over
 */
export function watchSignals(onDrainExceeded: () => void = () => process.exit(0)): Interruption {
  const controller = new AbortController()
  let end: () => void = () => undefined
  const happened = new Promise<void>((resolve) => {
    end = resolve
  })
  const take = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(HARD_END[name as keyof typeof HARD_END])
    setTimeout(onDrainExceeded, DRAIN_MS).unref()
    controller.abort()
    end()
  }
  process.on('SIGINT', take)
  process.on('SIGTERM', take)
  const release = (): void => {
    process.off('SIGINT', take)
    process.off('SIGTERM', take)
  }
  return { happened, signal: controller.signal, release }
}

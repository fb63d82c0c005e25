import { HARD_END } from './exit-codes.ts'
import { isReaderGone } from './output.ts'

export type Interruption = {
  /** Resolves at the first SIGINT or SIGTERM. */
  readonly happened: Promise<void>
  /** Fires at the same moment. */
  readonly signal: AbortSignal
  readonly release: () => void
}

/** Set for a process that another one watches through a channel. */
export const SUPERVISED = 'HAILSTONE_SUPERVISED'
export const isSupervised = (): boolean => process.env[SUPERVISED] !== undefined

/** Time limit of an orderly end, in ms. */
const DRAIN_MS = 2_000

/**
 * Listens for signals. After the first one the command has two seconds to end by itself; a second one ends it at
 * once, with the number shells use for that.
 *
 * A process that is supervised ends with its supervisor. It may hear of one signal twice, from the supervisor and from
 * whoever signals both, so to it a second one says nothing new.
 *
 * @param onDrainExceeded called when the two seconds are over
 * @param options.endsWithOutput true if it counts as a signal that nobody reads standard output any more
 */
export function watchSignals(
  onDrainExceeded: () => void = () => process.exit(0),
  { endsWithOutput = true }: { readonly endsWithOutput?: boolean } = {},
): Interruption {
  const controller = new AbortController()
  let end: () => void = () => undefined
  const happened = new Promise<void>((resolve) => {
    end = resolve
  })
  const stop = (): void => {
    if (controller.signal.aborted) return
    setTimeout(onDrainExceeded, DRAIN_MS).unref()
    controller.abort()
    end()
  }
  const take = (name: NodeJS.Signals): void => {
    const isSecond = controller.signal.aborted && !isSupervised()
    if (isSecond) process.exit(HARD_END[name as keyof typeof HARD_END])
    stop()
  }
  process.on('SIGINT', take)
  process.on('SIGTERM', take)
  // The reader of a pipe went away, as `head` does: nobody reads what would follow.
  const stopWithReader = (error: Error): void => {
    if (isReaderGone(error)) stop()
  }
  if (endsWithOutput) process.stdout.on('error', stopWithReader)
  process.once('disconnect', stop)
  // The supervisor is gone already.
  if (isSupervised() && !process.connected) stop()
  const release = (): void => {
    process.off('SIGINT', take)
    process.off('SIGTERM', take)
    process.stdout.off('error', stopWithReader)
    process.off('disconnect', stop)
  }
  return { happened, signal: controller.signal, release }
}

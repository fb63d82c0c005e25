/** Called at a hangup; null while nobody is ready for one. */
let taker: (() => void) | null = null
let isHeld = false
let isPending = false

/**
 * Keeps SIGHUP from ending this process, for its whole life: a service may be told to read its settings again while it
 * still starts, or already ends. A hangup that nobody is ready for is kept for the next one who is.
 */
export function holdHangups(): void {
  if (isHeld) return
  isHeld = true
  process.on('SIGHUP', () => {
    if (taker === null) isPending = true
    else taker()
  })
}

/**
 * Calls `take` at every hangup, and at once if one came before.
 *
 * @returns the end of it
 */
export function takeHangups(take: () => void): () => void {
  holdHangups()
  taker = take
  if (isPending) take()
  isPending = false
  return () => {
    if (taker === take) taker = null
  }
}

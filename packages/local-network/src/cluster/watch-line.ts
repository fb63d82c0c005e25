import type { WebSocket } from 'ws'

/** Interval at which each side of a line says something at least, in ms. */
export const BEAT_MS = 1000
/** A line on which nothing came for so many beats of this process is cut. */
const SILENT_BEATS = 4
/** A side that reads nothing must not fill our memory. */
const LONGEST_BACKLOG_BYTES = 32 * 1024 * 1024

export type Line = {
  readonly send: (text: string) => void
  readonly cut: () => void
}

/**
 * Looks after one line between two processes: each beat something is said, and a line that says nothing is cut. Beats of
 * this process are counted, not time: one that had no time to read must not take the other for dead.
 */
export function watchLine(
  socket: WebSocket,
  given: {
    readonly heard: (text: string) => void
    readonly beat: () => void
    readonly closed: () => void
    readonly failed: (error: unknown) => void
  },
): Line {
  let silentBeats = 0
  const cut = (): void => socket.terminate()
  const guarded = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      given.failed(error)
      cut()
    }
  }
  const timer = setInterval(() => {
    silentBeats++
    if (silentBeats > SILENT_BEATS) cut()
    else guarded(given.beat)
  }, BEAT_MS)
  socket.on('message', (data) => {
    silentBeats = 0
    guarded(() => given.heard(String(data)))
  })
  socket.on('error', given.failed)
  socket.once('close', () => {
    clearInterval(timer)
    given.closed()
  })
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > LONGEST_BACKLOG_BYTES) cut()
      else socket.send(text)
    },
    cut,
  }
}

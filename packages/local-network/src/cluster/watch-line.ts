import type { WebSocket } from 'ws'

/** Interval at which each side of a line says something at least, in ms. */
export const BEAT_MS = 1000
/** A line on which nothing came for so many beats of this process is cut. */
const SILENT_BEATS = 4
/** A side that reads nothing must not fill our memory. */
const LONGEST_BACKLOG_BYTES = 32 * 1024 * 1024

/** Texts that wait are sent before the end of the turn once they are so long, in characters. */
const LONGEST_GATHERED = 1024 * 1024

export type Line = {
  /**
   * Sends a text without line breaks in one frame with others, in their order: to send or read a frame costs more than a
   * message.
   *
   * @param withinMs time that it may wait for others, in ms. @default 0, this turn of the event loop
   */
  readonly send: (text: string, withinMs?: number) => void
  readonly cut: () => void
}

/**
 * Looks after one line between two processes: each beat something is said, and a line that says nothing is cut. Beats of
 * this process are counted, not time: one that had no time to read must not take the other for dead.
 */
export function watchLine(
  socket: WebSocket,
  given: {
    /** Called with each text of the other side. */
    readonly heard: (text: string) => void
    readonly beat: () => void
    readonly closed: () => void
    readonly failed: (error: unknown) => void
  },
): Line {
  let silentBeats = 0
  let gathered = ''
  /** Set while what is gathered waits for others. */
  let waiting: { readonly endsAtMs: number; readonly cancel: () => void } | null = null
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
    guarded(() => {
      for (const text of String(data).split('\n')) given.heard(text)
    })
  })
  socket.on('error', given.failed)
  socket.once('close', () => {
    clearInterval(timer)
    waiting?.cancel()
    given.closed()
  })
  const flush = (): void => {
    const frame = gathered
    gathered = ''
    waiting?.cancel()
    waiting = null
    if (frame === '' || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > LONGEST_BACKLOG_BYTES) cut()
    else socket.send(frame)
  }
  const flushWithin = (ms: number): void => {
    const endsAtMs = performance.now() + ms
    if (waiting !== null && waiting.endsAtMs <= endsAtMs) return
    waiting?.cancel()
    waiting = { endsAtMs, cancel: runWithin(ms, flush) }
  }
  return {
    send(text, withinMs = 0) {
      if (socket.readyState !== socket.OPEN) return
      gathered = gathered === '' ? text : `${gathered}\n${text}`
      if (gathered.length > LONGEST_GATHERED) flush()
      else flushWithin(withinMs)
    },
    cut,
  }
}

/** Runs a function once: after the time, or at the end of this turn of the event loop for 0. Returns how to cancel it. */
function runWithin(ms: number, action: () => void): () => void {
  if (ms > 0) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  }
  const turn = setImmediate(action)
  return () => clearImmediate(turn)
}

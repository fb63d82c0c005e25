import type { Status } from './ask.ts'

/** Members of a status that change when there is something new to be seen. */
export type Tip = Pick<Status, 'height' | 'state' | 'reorganisations' | 'activeAlerts' | 'alertsFailure'>

/** Time after which a stream that was refused is tried again, in ms. One that was cut comes back by itself. */
const RETRY_MS = 15_000
/** Time without a sign of life, in ms, after which a proxy seems to hold the stream back. The console sends one every 15 s. */
const SILENT_MS = 45_000

const listeners = new Set<(tip: Tip) => void>()
let source: EventSource | null = null
let heardAt = Number.NEGATIVE_INFINITY
let retry: ReturnType<typeof setTimeout> | undefined

/** True while the console says by itself what is new. */
export const isLive = (): boolean =>
  source?.readyState === EventSource.OPEN && performance.now() - heardAt < SILENT_MS

function close(): void {
  clearTimeout(retry)
  source?.close()
  source = null
  heardAt = Number.NEGATIVE_INFINITY
}

/** One stream serves all views; a page that nobody sees has none. */
function update(): void {
  const isWanted = listeners.size > 0 && document.visibilityState !== 'hidden'
  if (!isWanted) close()
  if (!isWanted || source !== null) return
  const opened = new EventSource('/v1/live')
  source = opened
  const hear = (): void => {
    heardAt = performance.now()
  }
  opened.addEventListener('alive', hear)
  opened.onmessage = ({ data }: MessageEvent<string>) => {
    hear()
    const tip = JSON.parse(data) as Tip
    for (const listener of listeners) listener(tip)
  }
  opened.onerror = () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return
    close()
    retry = setTimeout(update, RETRY_MS)
  }
}

document.addEventListener('visibilitychange', update)

/** Calls back with the newest macroblock, now and after each change, until the function that it returns is called. */
export function watchTip(listener: (tip: Tip) => void): () => void {
  listeners.add(listener)
  update()
  return () => {
    listeners.delete(listener)
    // Not now: the next view begins to watch a moment later.
    setTimeout(update)
  }
}

import { randomBytes } from 'node:crypto'
import WebSocket from 'ws'

/** Keeps so many sockets open until the signal aborts, opening new ones for those that are closed. */
export async function keepSockets(parameters: {
  readonly url: string
  readonly count: number
  /** Handshakes at once. @default 100 */
  readonly atOnce?: number | undefined
  readonly signal: AbortSignal
  readonly onOpen: (socket: WebSocket) => void
}): Promise<{ readonly opened: number }> {
  const { url, count, atOnce = 100, signal, onOpen } = parameters
  const sockets = new Set<WebSocket>()
  let opening = 0
  let opened = 0
  while (!signal.aborted) {
    while (sockets.size < count && opening < atOnce) {
      const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: 10_000 })
      let isOpening = true
      const settled = (): void => {
        if (isOpening) opening--
        isOpening = false
      }
      sockets.add(socket)
      opening++
      socket.on('error', () => {})
      socket.once('close', () => {
        settled()
        sockets.delete(socket)
      })
      socket.once('open', () => {
        settled()
        opened++
        onOpen(socket)
      })
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  for (const socket of sockets) socket.terminate()
  return { opened }
}

/** A hail that nobody signed. */
export const hailText = (id: string): string =>
  JSON.stringify({ ver: 4, method: 'hail', data: { id, token: '', hash: '', sign: '' } })

/** An address without a key that anybody knows. */
export const strangerAddress = (): string => `02${randomBytes(32).toString('hex')}`

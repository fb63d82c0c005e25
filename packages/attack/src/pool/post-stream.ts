import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Posts bodies over one connection, some at once, each as soon as an answer makes room; opens it anew when it is cut.
 * Runs until the signal aborts. Returns how many were sent and how many were answered with `err` 0.
 */
export async function postStream(parameters: {
  readonly apiUrl: string
  /** Requests on the way at once. */
  readonly depth: number
  readonly nextBody: () => string
  readonly signal: AbortSignal
}): Promise<{ readonly sent: number; readonly accepted: number }> {
  const { apiUrl, depth, nextBody, signal } = parameters
  const { hostname, port, pathname } = new URL(`${apiUrl}/tx`)
  let sent = 0
  let accepted = 0
  const requestText = (): string => {
    const body = nextBody()
    sent++
    return `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  async function connection(): Promise<void> {
    const socket = createConnection({ host: hostname, port: Number(port) })
    const abort = (): void => void socket.destroy()
    signal.addEventListener('abort', abort, { once: true })
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    socket.setEncoding('utf8')
    // Bodies are signed one at a time, so that this process hears everything else in between.
    let owed = depth
    const post = (): void => {
      if (owed === 0 || !socket.writable) return
      owed--
      socket.write(requestText())
      setImmediate(post)
    }
    socket.once('connect', post)
    socket.on('data', (text: string) => {
      accepted += text.split('"err":0').length - 1
      const isIdle = owed === 0
      owed += text.split('HTTP/1.1 ').length - 1
      if (isIdle) post()
    })
    await closed
    signal.removeEventListener('abort', abort)
  }
  while (!signal.aborted) {
    await connection()
    await sleep(20)
  }
  return { sent, accepted }
}

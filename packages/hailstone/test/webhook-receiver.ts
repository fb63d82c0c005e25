import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** Behaviour of a receiver. `down`: nobody listens. */
export type ReceiverMood =
  | 'well'
  | 'down'
  | 'failing'
  | 'busy'
  | 'refusing'
  | 'hanging'
  | 'redirecting'
  | 'dropping'
  | 'endless'
  | 'flooding'

export type Receiver = AsyncDisposable & {
  readonly url: string
  /** Verifies with another secret from now on: that of a sender who makes it after the address is known. */
  readonly useSecret: (secret: string) => void
  readonly setMood: (mood: ReceiverMood) => Promise<void>
  /** Events that were verified and answered with 204, in order, those that came twice included. */
  readonly taken: () => readonly { readonly id: string; readonly body: Record<string, unknown> }[]
  /** Requests in each mood. */
  readonly asked: () => Readonly<Record<string, number>>
  /** Signatures that did not verify. */
  readonly refused: () => number
  /** Bytes of answers that a sender took while it was flooded. */
  readonly flooded: () => number
  /** Called for the next event that is taken, before it is answered. */
  readonly beforeAnswer: (callback: () => void) => void
}

/** Starts a receiver that verifies with the library of Standard Webhooks; one without a secret refuses everything. */
export async function startReceiver(secret?: string): Promise<Receiver> {
  let webhook = secret === undefined ? null : new Webhook(secret)
  const taken: { readonly id: string; readonly body: Record<string, unknown> }[] = []
  const asked: Record<string, number> = {}
  let [mood, refused, flooded]: [ReceiverMood, number, number] = ['well', 0, 0]
  let server: Server | undefined
  let beforeAnswer: () => void = () => undefined

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    try {
      if (webhook === null) throw new Error('nothing verifies yet')
      const facts = webhook.verify(body, request.headers as Record<string, string>) as Record<string, unknown>
      taken.push({ id: String(request.headers['webhook-id']), body: facts })
      const call = beforeAnswer
      beforeAnswer = () => undefined
      call()
      response.writeHead(204).end()
    } catch {
      refused++
      response.writeHead(401).end()
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    asked[mood] = (asked[mood] ?? 0) + 1
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    switch (mood) {
      case 'failing':
        response.writeHead(500).end('<h1>no</h1>')
        return
      case 'busy':
        response.writeHead(429, { 'retry-after': '3600' }).end()
        return
      case 'refusing':
        response.writeHead(410).end()
        return
      case 'flooding': {
        response.writeHead(200)
        request.socket.on('close', () => (flooded += request.socket.bytesWritten))
        const more = (): void => {
          while (!request.socket.destroyed && response.write(Buffer.alloc(65_536, 'x')));
        }
        response.on('drain', more)
        more()
        return
      }
      case 'redirecting':
        response.writeHead(307, { location: '/elsewhere' }).end()
        return
      case 'dropping':
        request.socket.destroy()
        return
      case 'hanging':
        return
      case 'endless': {
        // A first line that never ends.
        const timer = setInterval(() => request.socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10)
        request.socket.on('close', () => clearInterval(timer))
        return
      }
      default:
        void take(request, response).catch(() => undefined)
    }
  }

  async function listen(port: number): Promise<number> {
    server = createServer(answer)
    const opened = server
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve))
    return (opened.address() as AddressInfo).port
  }
  async function close(): Promise<void> {
    const closing = server
    server = undefined
    closing?.closeAllConnections()
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve))
  }

  const port = await listen(0)
  return {
    url: `http://127.0.0.1:${port}/hook?key=only-the-receiver-knows`,
    useSecret: (next) => {
      webhook = new Webhook(next)
    },
    setMood: async (next) => {
      mood = next
      if (next === 'down') await close()
      else if (server === undefined) await listen(port)
    },
    taken: () => taken,
    asked: () => asked,
    refused: () => refused,
    flooded: () => flooded,
    beforeAnswer: (callback) => {
      beforeAnswer = callback
    },
    [Symbol.asyncDispose]: close,
  }
}

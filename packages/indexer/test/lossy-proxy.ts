import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** A way to a PostgreSQL server on which an answer is lost. */
export type LossyProxy = AsyncDisposable & {
  /** The address of the database through the proxy. */
  readonly url: string
  /** Cuts the connection at the next statement with these words, after the server's answer and before it is delivered. */
  readonly loseAnswer: (words: string) => void
  /** Answers that were lost. */
  readonly lost: () => number
}

/** Opens a proxy to the server of a database, on loopback. */
export async function openLossyProxy(database: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(database)
  let awaited: string | undefined
  let lost = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let isLosing = false
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
    near.on('data', (sent) => {
      if (awaited !== undefined && sent.includes(awaited)) [awaited, isLosing] = [undefined, true]
      far.write(sent)
    })
    far.on('data', (answer) => {
      if (!isLosing) return void near.write(answer)
      lost++
      near.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(database)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    loseAnswer: (words) => {
      awaited = words
    },
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

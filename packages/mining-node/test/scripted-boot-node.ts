import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A boot node that does what the test says, and remembers what it was told. */
export type ScriptedBootNode = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** Connections so far. */
  readonly visits: () => number
  /** Messages of the visitors. */
  readonly heard: readonly string[]
}

/** @param welcome called for each connection */
export async function startScriptedBootNode(
  welcome: (socket: WebSocket, self: { readonly port: number }) => void,
): Promise<ScriptedBootNode> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const heard: string[] = []
  let visits = 0
  server.on('connection', (socket) => {
    visits++
    socket.on('error', () => undefined)
    socket.on('message', (data) => heard.push(String(data)))
    welcome(socket, { port })
  })
  return {
    // As settings have it.
    url: `ws://127.0.0.1:${port}/`,
    port,
    visits: () => visits,
    heard,
    [Symbol.asyncDispose]: async () => {
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

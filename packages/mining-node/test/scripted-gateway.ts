import type { AddressInfo } from 'node:net'
import { type ClientMessage, parseClientMessage } from '@hailstone/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { until } from './until.ts'

/** A gateway that does what the test says and remembers what it heard. */
export type ScriptedGateway = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly sockets: readonly WebSocket[]
  readonly heard: readonly {
    readonly socket: WebSocket
    readonly message: ClientMessage
    readonly text: string
  }[]
  readonly hails: () => readonly Extract<ClientMessage, { kind: 'hail' }>[]
  readonly publications: () => readonly Extract<ClientMessage, { kind: 'publish' }>[]
  /** Resolves to the newest connection once it has hailed; `count` hails in all. */
  readonly hailed: (count?: number) => Promise<WebSocket>
  readonly stop: () => Promise<void>
}

export async function startScriptedGateway(
  options: {
    readonly port?: number
    /** False leaves pings unanswered. @default true */
    readonly autoPong?: boolean
  } = {},
): Promise<ScriptedGateway> {
  const { port = 0, autoPong = true } = options
  const server = new WebSocketServer({ host: '127.0.0.1', port, autoPong })
  await new Promise((resolve) => server.once('listening', resolve))
  const sockets: WebSocket[] = []
  const heard: { socket: WebSocket; message: ClientMessage; text: string }[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('message', (data) => {
      const text = String(data)
      heard.push({ socket, text, message: parseClientMessage(text) })
    })
  })
  const messages = <K extends ClientMessage['kind']>(kind: K) =>
    heard
      .map(({ message }) => message)
      .filter((message): message is Extract<ClientMessage, { kind: K }> => message.kind === kind)
  const stop = async (): Promise<void> => {
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
  const at = (server.address() as AddressInfo).port
  return {
    url: `ws://127.0.0.1:${at}`,
    port: at,
    sockets,
    heard,
    hails: () => messages('hail'),
    publications: () => messages('publish'),
    hailed: async (count = 1) => {
      await until(() => messages('hail').length >= count, `${count} hails were heard`)
      return heard.filter(({ message }) => message.kind === 'hail')[count - 1]?.socket as WebSocket
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

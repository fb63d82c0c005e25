import type { IncomingMessage } from 'node:http'
import { parseRetryAfter } from '@hailstone/client'
import { throughProxy } from '@hailstone/runtime/node'
import type { ClientOptions, WebSocket as WebSocketOfWs } from 'ws'
import { connectionFault } from '../node/connection-fault.ts'
import { loadWs, type Ws } from '../node/load-ws.ts'
import type { ChannelHandlers, OpenChannel, UpgradeAnswer } from '../session/channel.ts'

/** Only the address counts: what a proxy or another kind of server says instead of shaking hands is a failure. */
const CONNECT_OPTIONS = { perMessageDeflate: false, followRedirects: false } as const
const TOO_LARGE = 1009

/**
 * Loads the optional package `ws`, whose sockets take a quarter of the memory of undici's.
 *
 * @returns undefined when it is not installed
 */
export async function loadWsChannel(): Promise<OpenChannel | undefined> {
  try {
    return openWsChannel(await loadWs())
  } catch {
    return undefined
  }
}

const openWsChannel =
  ({ WebSocket }: Ws): OpenChannel =>
  ({ url, frameLimitBytes, handlers }) => {
    const socket = new WebSocket(url, {
      ...CONNECT_OPTIONS,
      ...(throughProxy(new URL(url)) as object as ClientOptions),
      maxPayload: frameLimitBytes,
    })
    listen(socket, handlers)
    return {
      send: (text) => {
        if (socket.readyState !== socket.OPEN) throw new Error('the socket is not open')
        socket.send(text)
      },
      ping: () => {
        if (socket.readyState === socket.OPEN) socket.ping()
      },
      close: (code) => socket.close(code),
      terminate: () => socket.terminate(),
    }
  }

type Failure = { detail: string; answer: UpgradeAnswer | undefined }

/** After an error always comes a close, so only that is reported. Binary frames are malformed, as empty ones are. */
function listen(socket: WebSocketOfWs, handlers: ChannelHandlers): void {
  const failure: Failure = { detail: 'no WebSocket answers there', answer: undefined }
  let wasOpen = false
  let isTooLarge = false
  socket.on('open', () => {
    wasOpen = true
    handlers.opened()
  })
  socket.on('message', (data, isBinary) => {
    handlers.received(isBinary ? '' : String(data))
  })
  socket.on('pong', handlers.pong)
  socket.on('unexpected-response', (request, response) => {
    failure.answer = answerOf(response)
    request.destroy()
    socket.terminate()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') isTooLarge = true
    failure.detail = connectionFault(error)
  })
  socket.on('close', (code, reason) => {
    if (!wasOpen) handlers.failed(failure.detail, failure.answer)
    else handlers.closed(isTooLarge ? TOO_LARGE : code, String(reason))
  })
}

/** A server that answers in HTTP says by its status whether coming back soon makes sense. */
const answerOf = ({ statusCode = 0, headers }: IncomingMessage): UpgradeAnswer => ({
  status: statusCode,
  retryAfterMs: parseRetryAfter(headers['retry-after'] ?? null, Date.now()),
})

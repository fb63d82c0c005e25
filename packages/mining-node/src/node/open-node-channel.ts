import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Agent, buildConnector, ping, WebSocket } from 'undici'
import type { OpenChannel } from '../session/channel.ts'
import { socketChannel } from '../session/socket-channel.ts'

const PONG_CHANNEL = 'undici:websocket:pong'
const CONNECT_TIMEOUT_MS = 5_000
/**
 * undici breaks the link over a larger frame without telling why, so its limit only bounds the memory and
 * the one that counts is ours.
 */
const HARD_LIMIT_FACTOR = 4

/** The undici WebSocket: standard events, and pings that browsers do not have. */
export const openNodeChannel: OpenChannel = ({ url, frameLimitBytes, handlers }) => {
  const transport = createTransport(frameLimitBytes)
  const socket = new WebSocket(url, { dispatcher: transport.agent })
  const onPong = (message: unknown): void => {
    if ((message as { websocket?: unknown }).websocket === socket) handlers.pong()
  }
  const release = (): void => {
    diagnostics.unsubscribe(PONG_CHANNEL, onPong)
    transport.destroy()
  }
  diagnostics.subscribe(PONG_CHANNEL, onPong)
  const channel = socketChannel({
    socket,
    frameLimitBytes,
    failure: transport.failure,
    handlers: {
      ...handlers,
      closed: (code) => {
        release()
        handlers.closed(code)
      },
      failed: (detail) => {
        release()
        handlers.failed(detail)
      },
    },
  })
  return {
    ...channel,
    ping: () => ping(socket),
    terminate: release,
  }
}

type Transport = {
  readonly agent: Agent
  /** What the system said when it could not connect, for example `ECONNREFUSED`. */
  readonly failure: () => string
  readonly destroy: () => void
}

/** undici hides the socket of a WebSocket and has no `terminate`, so the connector keeps hold of it. */
function createTransport(frameLimitBytes: number): Transport {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  let raw: Socket | null = null
  let failure = 'no WebSocket answers there'
  const agent = new Agent({
    webSocket: { maxPayloadSize: HARD_LIMIT_FACTOR * frameLimitBytes },
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [error, socket] = result
        if (error === null) raw = socket
        else failure = systemCode(error)
        callback(...result)
      }),
  })
  const destroy = (): void => {
    raw?.destroy()
    agent.destroy().catch(() => undefined)
  }
  return { agent, failure: () => failure, destroy }
}

const systemCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message

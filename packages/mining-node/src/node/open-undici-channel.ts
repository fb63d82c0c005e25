import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { parseRetryAfter } from '@hailstone/client'
import { outwardConnector, wholeModule } from '@hailstone/runtime/node'
import type { Dispatcher } from 'undici'
import * as imported from 'undici'
import type { OpenChannel, UpgradeAnswer } from '../session/channel.ts'
import { socketChannel } from '../session/socket-channel.ts'
import { connectionFault } from './connection-fault.ts'
import { createControlFrameLimit } from './control-frame-limit.ts'

const { Agent, buildConnector, DecoratorHandler, ping, WebSocket } = wholeModule(imported, {
  name: 'undici',
  from: () => import.meta.url,
  parts: ['Agent', 'buildConnector', 'DecoratorHandler', 'ping', 'WebSocket'],
})

const PING_CHANNEL = 'undici:websocket:ping'
const PONG_CHANNEL = 'undici:websocket:pong'
/** As for a frame that is too large (RFC 6455), here for control frames that are too many. */
const TOO_MUCH = 1009
const CONNECT_TIMEOUT_MS = 5_000
/**
 * undici breaks the link over a larger frame without telling why, so its limit only bounds the memory and
 * the one that counts is ours.
 */
const HARD_LIMIT_BYTES = 16 * 1024 * 1024

/**
 * The undici WebSocket: standard events, and pings that browsers do not have. undici answers each ping at once, so a
 * gateway that sends more control frames than {@link createControlFrameLimit} allows is left, as with frames that are
 * too large.
 */
export const openUndiciChannel: OpenChannel = ({ url, frameLimitBytes, handlers }) => {
  const transport = createTransport(frameLimitBytes)
  const socket = new WebSocket(url, { dispatcher: transport.dispatcher })
  const limit = createControlFrameLimit(() => performance.now())
  let isFlooded = false
  const onControlFrame = (message: unknown): boolean => {
    const isOurs = (message as { websocket?: unknown }).websocket === socket && !isFlooded
    if (!isOurs || limit.allowsOne()) return isOurs
    isFlooded = true
    transport.mute()
    // undici first reads to the end of what came with this frame.
    queueMicrotask(() => {
      release()
      handlers.closed(TOO_MUCH)
    })
    return false
  }
  const onPong = (message: unknown): void => {
    if (onControlFrame(message)) handlers.pong()
  }
  const release = (): void => {
    diagnostics.unsubscribe(PING_CHANNEL, onControlFrame)
    diagnostics.unsubscribe(PONG_CHANNEL, onPong)
    transport.destroy()
  }
  diagnostics.subscribe(PING_CHANNEL, onControlFrame)
  diagnostics.subscribe(PONG_CHANNEL, onPong)
  const channel = socketChannel({
    socket,
    frameLimitBytes,
    failure: transport.failure,
    handlers: {
      ...handlers,
      received: (text) => {
        if (!isFlooded) handlers.received(text)
      },
      closed: (...given) => {
        if (isFlooded) return
        release()
        handlers.closed(...given)
      },
      failed: (...given) => {
        release()
        handlers.failed(...given)
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
  readonly dispatcher: Dispatcher
  /**
   * Returns the system's error code of a failed connection, for example `ECONNREFUSED`, or the HTTP answer that
   * arrived instead.
   */
  readonly failure: () => readonly [detail: string, answer?: UpgradeAnswer | undefined]
  /** Drops everything that is written from now on. */
  readonly mute: () => void
  readonly destroy: () => void
}

/** undici hides the socket of a WebSocket and has no `terminate`, so the connector keeps hold of it. */
function createTransport(frameLimitBytes: number): Transport {
  const connect = outwardConnector(buildConnector({ timeout: CONNECT_TIMEOUT_MS }), CONNECT_TIMEOUT_MS)
  let raw: Socket | null = null
  let failure = 'no WebSocket answers there'
  let answer: UpgradeAnswer | undefined
  const agent = new Agent({
    webSocket: { maxPayloadSize: Math.max(HARD_LIMIT_BYTES, frameLimitBytes) },
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [error, socket] = result
        if (error === null) raw = socket
        else failure = connectionFault(error)
        callback(...result)
      }),
  })
  const destroy = (): void => {
    raw?.destroy()
    agent.destroy().catch(() => undefined)
  }
  const mute = (): void => {
    if (raw !== null) raw.write = () => true
  }
  const dispatcher = agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(
        options,
        new AnswerReader(handler, (found) => {
          answer = found
        }),
      ),
  )
  return { dispatcher, failure: () => [failure, answer], mute, destroy }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Notes the HTTP answer of a server that opens no socket; undici itself does not tell. */
class AnswerReader extends DecoratorHandler {
  readonly #onAnswer: (answer: UpgradeAnswer) => void

  constructor(handler: Dispatcher.DispatchHandler, onAnswer: (answer: UpgradeAnswer) => void) {
    super(handler)
    this.#onAnswer = onAnswer
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
    statusMessage?: string,
  ): void {
    const retryAfter = [headers['retry-after']].flat()[0] ?? null
    this.#onAnswer({ status, retryAfterMs: parseRetryAfter(retryAfter, Date.now()) })
    // @ts-expect-error the types of the package leave out what its class does
    super.onResponseStart(controller, status, headers, statusMessage)
  }
}

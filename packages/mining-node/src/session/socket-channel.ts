import type { Channel, ChannelHandlers, UpgradeAnswer } from './channel.ts'

/** Socket API common to browsers and undici. */
export type StandardSocket = {
  readonly readyState: number
  send: (text: string) => void
  close: (code?: number) => void
  addEventListener(type: 'open', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void
}

const OPEN = 1
const TOO_LARGE = 1009
/** Browsers let a page send 1000 and 3000 to 4999 only. */
const CLOSE_FOR_SIZE = 3009

/**
 * Makes a channel of a standard socket. An error event is always followed by a close event, so only the
 * latter is reported. The protocol has no binary frames: they are reported as empty, which is malformed.
 */
export function socketChannel(parameters: {
  readonly socket: StandardSocket
  readonly frameLimitBytes: number
  readonly handlers: ChannelHandlers
  /** Returns the reason why the socket could not be opened, as far as the platform reveals it. */
  readonly failure: () => readonly [detail: string, answer?: UpgradeAnswer | undefined]
}): Pick<Channel, 'send' | 'close'> {
  const { socket, frameLimitBytes, handlers, failure } = parameters
  let wasOpen = false
  let isTooLarge = false
  socket.addEventListener('open', () => {
    wasOpen = true
    handlers.opened()
  })
  socket.addEventListener('message', ({ data }) => {
    if (isTooLarge) return
    const text = typeof data === 'string' ? data : ''
    isTooLarge = text.length > frameLimitBytes
    if (isTooLarge) socket.close(CLOSE_FOR_SIZE)
    else handlers.received(text)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    if (wasOpen) handlers.closed(isTooLarge ? TOO_LARGE : code, reason)
    else handlers.failed(...failure())
  })
  return {
    send: (text) => {
      if (socket.readyState !== OPEN) throw new Error('the socket is not open')
      socket.send(text)
    },
    close: (code) => socket.close(code),
  }
}

import type { OpenChannel } from '../session/channel.ts'
import { socketChannel } from '../session/socket-channel.ts'

/**
 * Opens the browser's own WebSocket. Pages cannot send pings, so a dead link is noticed only when the
 * browser notices it or when a page goes offline.
 */
export const openWebChannel: OpenChannel = ({ url, frameLimitBytes, handlers }) => {
  const socket = createSocket(url)
  if (socket === null) {
    queueMicrotask(() => handlers.failed('the browser refuses this address'))
    return { send: () => undefined, close: () => undefined, terminate: () => undefined }
  }
  const failure = () => ['the browser does not say why'] as const
  return { ...socketChannel({ socket, frameLimitBytes, handlers, failure }), terminate: () => socket.close() }
}

/** The constructor throws for an insecure address on a secure page. */
function createSocket(url: string): WebSocket | null {
  try {
    return new WebSocket(url)
  } catch (error) {
    // React Native has no DOMException.
    if (error instanceof TypeError || error instanceof ReferenceError) throw error
    return null
  }
}

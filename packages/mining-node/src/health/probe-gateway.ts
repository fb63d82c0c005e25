import { openNodeChannel } from '../node/open-node-channel.ts'

const TIMEOUT_MS = 5_000

/**
 * Opens a WebSocket to a gateway and closes it again. It does not hail: a gateway keeps one session for each key, and a
 * miner that runs would lose its own.
 *
 * @returns null if the socket opened, otherwise the reason given by the system
 */
export function probeGateway(url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end('no answer within 5 s'), TIMEOUT_MS)
    const end = (fault: string | null): void => {
      clearTimeout(timer)
      resolve(fault)
      channel.close(1000)
      setTimeout(channel.terminate, 500).unref()
    }
    const channel = openNodeChannel({
      url,
      frameLimitBytes: 65_536,
      handlers: {
        opened: () => end(null),
        received: () => undefined,
        pong: () => undefined,
        closed: () => undefined,
        failed: (detail) => end(detail),
      },
    })
  })
}

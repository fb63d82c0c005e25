import { parseServerMessage } from '@hailstone/protocol'
import { openNodeChannel } from '../node/open-node-channel.ts'

const TIMEOUT_MS = 5_000
const FRAME_LIMIT_BYTES = 65_536

/**
 * Opens a WebSocket to a gateway and closes it again. It does not hail: a gateway keeps one session for each key, and a
 * miner that runs would lose its own.
 *
 * @returns null if the socket opened, of a boot node if it named a gateway; otherwise what went wrong
 */
export function probeGateway(url: string, { isBootNode = false } = {}): Promise<string | null> {
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
      frameLimitBytes: FRAME_LIMIT_BYTES,
      handlers: {
        opened: () => {
          if (!isBootNode) end(null)
        },
        received: (text) => {
          if (parseServerMessage(text, FRAME_LIMIT_BYTES).kind === 'peer') end(null)
        },
        pong: () => undefined,
        closed: () => end('it names no gateway'),
        failed: (detail) => end(detail),
      },
    })
  })
}

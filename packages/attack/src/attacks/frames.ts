import { defineFlood } from '../flood/define-flood.ts'
import { hailText, keepSockets, strangerAddress } from '../flood/open-sockets.ts'

const SOCKETS = 50
const MAX_UNSENT_BYTES = 2 * 1024 * 1024

const frames: readonly (string | Buffer)[] = [
  '{}',
  '{"ver":4,"method":"nonsense"}',
  'x',
  '['.repeat(60_000),
  `{"ver":4,"method":"publish","data":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  `{"ver":4,"method":"hail","data":{"id":${'9'.repeat(60_000)}}}`,
  Buffer.alloc(1000, 0xff),
  Buffer.alloc(0),
]

/** Sends what is no message, tiny and large, and pings, and reads nothing. */
export const framesFlood = defineFlood({
  name: 'frames',
  row: 'A-7',
  what: `${SOCKETS} sockets send tiny, huge, binary and broken frames and pings, as many as go, and read nothing`,
  async flood({ gatewayUrl, signal }) {
    let sent = 0
    const { opened } = await keepSockets({
      url: gatewayUrl,
      count: SOCKETS,
      signal,
      onOpen: (socket) => {
        socket.send(hailText(strangerAddress()))
        socket.pause()
        const kind = sent % 3
        const more = (): void => {
          if (socket.readyState !== socket.OPEN || signal.aborted) return
          for (let count = 0; count < 200 && socket.bufferedAmount < MAX_UNSENT_BYTES; count++, sent++) {
            if (kind === 0) socket.ping(Buffer.alloc(125))
            else if (kind === 1) socket.send('{}')
            else socket.send(frames[sent % frames.length] ?? '')
          }
          setTimeout(more, 10)
        }
        more()
      },
    })
    return { 'sockets opened': opened, 'frames sent': sent }
  },
})

import { setTimeout as sleep } from 'node:timers/promises'
import { defineFlood } from '../flood/define-flood.ts'
import { hailText, keepSockets, strangerAddress } from '../flood/open-sockets.ts'
import { keepRawSockets } from '../flood/raw-sockets.ts'

const STRANGERS = 3000
const READERS = 100
const LINES_UP_MS = 3000
const PATHS = ['poa_nodes_online', 'stats', 'roi', 'health']

/** Makes the lists of who is online long, and asks for them all the time. */
export const onlineLists = defineFlood({
  name: 'online-lists',
  row: 'A-6',
  what: `${STRANGERS} strangers are online, ${READERS} connections ask for the list of them as fast as it comes`,
  async flood({ apiUrl, gatewayUrl, signal }) {
    const strangers = keepSockets({
      url: gatewayUrl,
      count: STRANGERS,
      signal,
      onOpen: (socket) => socket.send(hailText(strangerAddress())),
    })
    await sleep(LINES_UP_MS, undefined, { signal }).catch(() => {})
    let asked = 0
    let bytes = 0
    const readers = keepRawSockets({
      url: apiUrl,
      count: READERS,
      signal,
      onOpen: (socket, number) => {
        const ask = (): void => {
          const path = PATHS[number % 2 === 0 ? 0 : asked++ % PATHS.length]
          socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
        }
        socket.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          // Every answer begins like this; a piece that begins otherwise is the rest of one.
          if (chunk.subarray(0, 5).toString() === 'HTTP/') ask()
        })
        ask()
        ask()
      },
    })
    const [{ opened }, { opened: connections }] = await Promise.all([strangers, readers])
    return {
      'strangers connected': opened,
      'connections of readers': connections,
      'megabytes read': bytes / 1e6,
    }
  },
})

import { defineFlood } from '../flood/define-flood.ts'
import { drip, keepRawSockets } from '../flood/raw-sockets.ts'

const CONNECTIONS = 4000

/** Fills the API's port with heads of requests that never end. */
export const slowHeaders = defineFlood({
  name: 'slow-headers',
  row: 'A-8',
  what: `${CONNECTIONS} connections send a head that never ends to an API that has 1,024 open files; anew when closed`,
  openFiles: 1024,
  async flood({ apiUrl, signal }) {
    let header = 0
    const { opened } = await keepRawSockets({
      url: apiUrl,
      count: CONNECTIONS,
      signal,
      addresses: 50,
      onOpen: (socket, number) => {
        // Every other one says nothing at all, and every tenth has closed its own side.
        if (number % 10 === 9) socket.end()
        else if (number % 2 === 0) {
          socket.write('GET /api/v1/height HTTP/1.1\r\nHost: 127.0.0.1\r\n')
          drip(socket, () => `X-${header++}: ${'a'.repeat(64)}\r\n`, 1000)
        }
      },
    })
    return { 'connections opened': opened }
  },
})

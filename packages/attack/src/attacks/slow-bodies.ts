import { defineFlood } from '../flood/define-flood.ts'
import { drip, keepRawSockets } from '../flood/raw-sockets.ts'

const CONNECTIONS = 2000
const LENGTH = 100_000
const FIRST_PART = 'x'.repeat(90_000)

/** Posts payments that never end: bodies that were announced and bodies in chunks, large beginnings and tiny ones. */
export const slowBodies = defineFlood({
  name: 'slow-bodies',
  row: 'A-8',
  what: `${CONNECTIONS} connections post bodies that never end, announced or in chunks, of 90,000 bytes or of one`,
  async flood({ apiUrl, signal }) {
    const { host } = new URL(apiUrl)
    const post = (header: string): string =>
      `POST /api/v1/tx HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${header}\r\n\r\n`
    const announced = post(`Content-Length: ${LENGTH}`)
    const chunked = post('Transfer-Encoding: chunked')
    const { opened } = await keepRawSockets({
      url: apiUrl,
      count: CONNECTIONS,
      signal,
      onOpen: (socket, number) => {
        const isLarge = number % 4 < 2
        const isChunked = number % 2 === 1
        const first = isLarge ? FIRST_PART : '['
        socket.write(isChunked ? `${chunked}${first.length.toString(16)}\r\n${first}\r\n` : announced + first)
        drip(socket, isChunked ? '1;a=b\r\nx\r\n' : 'x', 1000)
      },
    })
    return { 'connections opened': opened }
  },
})

import { deflateRawSync, gzipSync } from 'node:zlib'
import { defineFlood } from '../flood/define-flood.ts'
import { frameOf, keepRawSockets, upgradeText } from '../flood/raw-sockets.ts'

const CONNECTIONS = 40
const UNPACKED = 64 * 1024 * 1024

/** Sends what becomes a thousand times as long for whoever unpacks it. */
export const bombs = defineFlood({
  name: 'bombs',
  row: 'A-6',
  what: `${CONNECTIONS} connections send packed bodies and frames of ${UNPACKED / 2 ** 20} MiB, again and again`,
  async flood({ apiUrl, gatewayUrl, signal }) {
    const zeros = Buffer.alloc(UNPACKED, '0')
    const body = gzipSync(zeros)
    const short = body.subarray(0, 100_000)
    const post = (encoding: string) =>
      Buffer.concat([
        Buffer.from(
          `POST /api/v1/tx HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${short.length}\r\n\r\n`,
        ),
        short,
      ])
    const posts = Buffer.concat([post('gzip'), post('deflate'), post('br')])
    const frame = frameOf(deflateRawSync(zeros).subarray(0, 60_000), { opcode: 1, isCompressed: true })
    const upgrade = upgradeText(
      '127.0.0.1',
      'Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_max_window_bits\r\n',
    )
    const [bodies, frames] = await Promise.all([
      keepRawSockets({
        url: apiUrl,
        count: CONNECTIONS,
        signal,
        onOpen: (socket) => {
          socket.write(posts)
          socket.on('data', () => {
            if (socket.writable && socket.writableLength === 0) socket.write(posts)
          })
        },
      }),
      keepRawSockets({
        url: gatewayUrl,
        count: CONNECTIONS,
        signal,
        onOpen: (socket) => {
          socket.write(upgrade)
          for (let count = 0; count < 20; count++) socket.write(frame)
        },
      }),
    ])
    return { 'connections with bodies': bodies.opened, 'connections with frames': frames.opened }
  },
})

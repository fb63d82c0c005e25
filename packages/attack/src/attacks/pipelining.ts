import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineFlood } from '../flood/define-flood.ts'

const CONNECTIONS = 4
const REQUESTS_AT_ONCE = 20_000

/** Opens connections anew as they are cut, sends requests on each without reading an answer. */
export const pipelining = defineFlood({
  name: 'pipelining',
  row: 'A-6',
  what: `${CONNECTIONS} connections send ${REQUESTS_AT_ONCE} requests each and read no answer; anew when cut`,
  async flood({ apiUrl, signal }) {
    const { hostname, port } = new URL(apiUrl)
    const batch = Buffer.from(`GET /docs/json HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(REQUESTS_AT_ONCE))
    const open = new Set<Socket>()
    let opened = 0
    while (!signal.aborted) {
      while (open.size < CONNECTIONS) {
        const socket = createConnection({ host: hostname, port: Number(port) })
        opened++
        open.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => open.delete(socket))
        socket.once('connect', () => socket.write(batch))
        socket.pause()
      }
      await sleep(20)
    }
    for (const socket of open) socket.destroy()
    return { 'connections opened': opened }
  },
})

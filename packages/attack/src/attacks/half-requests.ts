import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineFlood } from '../flood/define-flood.ts'

const CONNECTIONS = 5000
const HALF = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upg'

/** Fills the gateway's port with requests that never end, on a network with few open files. */
export const halfRequests = defineFlood({
  name: 'half-requests',
  row: 'A-8',
  what: `${CONNECTIONS} connections send half a request to a gateway that has 1,024 open files; anew when closed`,
  openFiles: 1024,
  async flood({ gatewayUrl, signal }) {
    const { hostname, port } = new URL(gatewayUrl)
    const open = new Set<Socket>()
    let opened = 0
    while (!signal.aborted) {
      for (let burst = 0; open.size < CONNECTIONS && burst < 250; burst++) {
        const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write(HALF))
        opened++
        open.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => open.delete(socket))
        socket.resume()
      }
      await sleep(25)
    }
    for (const socket of open) socket.destroy()
    return { 'connections opened': opened }
  },
})

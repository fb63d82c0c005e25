import { defineFlood } from '../flood/define-flood.ts'
import { keepRawSockets } from '../flood/raw-sockets.ts'

const CONNECTIONS = 2500

/** Takes every place of both ports, with requests that were answered and connections that stay. */
export const manyConnections = defineFlood({
  name: 'many-connections',
  row: 'A-8',
  what: `${CONNECTIONS} connections to each port of a network that has 1,024 open files ask once and stay; anew when closed`,
  openFiles: 1024,
  async flood({ apiUrl, gatewayUrl, signal }) {
    const keep = (url: string) =>
      keepRawSockets({
        url,
        count: CONNECTIONS,
        signal,
        onOpen: (socket, number) => {
          if (number % 3 > 0) socket.write('GET /api/v1/height HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
        },
      })
    const [api, gateway] = await Promise.all([keep(apiUrl), keep(gatewayUrl)])
    return { 'connections to the API': api.opened, 'connections to the gateway': gateway.opened }
  },
})

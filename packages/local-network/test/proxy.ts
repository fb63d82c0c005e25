import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Stands before a port of this machine.
 *
 * @param watch called with both ends of each connection, from the client and to the port
 */
export async function openProxy(port: number, watch: (client: Socket, server: Socket) => void) {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    watch(client, server)
    client.pipe(server).pipe(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

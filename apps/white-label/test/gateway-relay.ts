import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One more address of a gateway, which can go away alone. */
export type GatewayRelay = {
  readonly url: string
  /** Connections that are open. */
  readonly open: () => number
  /** Cuts all connections and takes no more. */
  readonly stop: () => void
}

/** Passes the bytes of a gateway on, at an address of its own. */
export async function relayGateway(gatewayUrl: string): Promise<GatewayRelay> {
  const { hostname: host, port } = new URL(gatewayUrl)
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect({ host, port: Number(port) })
    sockets.add(incoming)
    incoming.on('close', () => {
      sockets.delete(incoming)
      outgoing.destroy()
    })
    for (const one of [incoming, outgoing]) one.on('error', () => undefined)
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(gatewayUrl).pathname}`,
    open: () => sockets.size,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

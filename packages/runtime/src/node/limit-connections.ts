import type { IncomingMessage, ServerOptions } from 'node:http'
import type { Server, Socket } from 'node:net'

/**
 * Options of an HTTP server that strangers reach, in ms: a request that does not become whole keeps no connection, and
 * neither does silence.
 */
export const servingTimes: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}

/** Key of a connection, the same under the TLS that is spoken over it. */
type Peer = { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }

export type ConnectionLimit = {
  readonly size: () => number
  /** The connection makes room for no other from now on. */
  readonly keep: (peer: Peer) => void
  /** Ends every connection, also one whose TLS is not there yet or that was upgraded. */
  readonly endAll: () => void
  /** Takes no more connections, ends those that there are, and resolves when the server is closed. */
  readonly stop: () => Promise<void>
}

const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`

/**
 * Bounds the connections of a server, from the moment they are accepted. One more than `most` ends the one that is not
 * kept and whose newest request is longest ago; one more than `maxOfGroup` is ended itself.
 *
 * @param parameters.groupOf what the connections of an address are counted by; null for one that is not counted
 */
export function limitConnections(
  server: Pick<Server, 'on' | 'close'>,
  parameters: {
    readonly most: number
    readonly maxOfGroup?: number | undefined
    readonly groupOf?: ((address: string) => string | null) | undefined
  },
): ConnectionLimit {
  const { most, maxOfGroup = Number.POSITIVE_INFINITY, groupOf = (address) => address } = parameters
  const all = new Map<string, Socket>()
  /** In the order in which they make room. */
  const waiting = new Set<string>()
  const groups = new Map<string, number>()

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // It went away before it was accepted.
    if (remoteAddress === undefined) return void socket.destroy()
    const group = groupOf(remoteAddress)
    if (group !== null && !enter(group, socket)) return void socket.destroy()
    const key = keyOf(socket)
    all.set(key, socket)
    waiting.add(key)
    socket.once('close', () => forget(key, socket))
    if (all.size > most) makeRoom()
  })
  server.on('request', ({ socket }: IncomingMessage) => {
    const key = keyOf(socket)
    if (waiting.delete(key)) waiting.add(key)
  })

  /** Returns false if the group is full. */
  function enter(group: string, socket: Socket): boolean {
    const others = groups.get(group) ?? 0
    if (others >= maxOfGroup) return false
    groups.set(group, others + 1)
    socket.once('close', () => {
      const left = (groups.get(group) ?? 1) - 1
      if (left > 0) groups.set(group, left)
      else groups.delete(group)
    })
    return true
  }

  function forget(key: string, socket: Socket): void {
    if (all.get(key) !== socket) return
    all.delete(key)
    waiting.delete(key)
  }

  function makeRoom(): void {
    for (const key of waiting) {
      const oldest = all.get(key)
      if (oldest === undefined) continue
      forget(key, oldest)
      oldest.destroy()
      return
    }
  }

  function endAll(): void {
    for (const socket of all.values()) socket.destroy()
  }

  return {
    size: () => all.size,
    keep: (peer) => void waiting.delete(keyOf(peer)),
    endAll,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      endAll()
      await closed
    },
  }
}

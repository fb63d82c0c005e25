import type { Server, Socket } from 'node:net'

/** Key of a connection, the same under the TLS that is spoken over it. */
type Peer = { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }

export type ConnectionLimit = {
  readonly size: () => number
  /** The connection made a request: others make room before it does. */
  readonly touch: (peer: Peer) => void
  /** The connection makes room for no other from now on. */
  readonly keep: (peer: Peer) => void
}

const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`

/**
 * Bounds the connections of a server, from the moment they are accepted. One more than `most` ends the oldest that is
 * not kept; one more than `maxOfGroup` is ended itself.
 *
 * @param parameters.groupOf what the connections of an address are counted by
 */
export function limitConnections(
  server: Pick<Server, 'on'>,
  parameters: {
    readonly most: number
    readonly maxOfGroup?: number | undefined
    readonly groupOf?: ((address: string) => string) | undefined
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
    const others = groups.get(group) ?? 0
    if (others >= maxOfGroup) return void socket.destroy()
    const key = keyOf(socket)
    groups.set(group, others + 1)
    all.set(key, socket)
    waiting.add(key)
    socket.once('close', () => {
      const left = (groups.get(group) ?? 1) - 1
      if (left > 0) groups.set(group, left)
      else groups.delete(group)
      forget(key, socket)
    })
    if (all.size > most) makeRoom()
  })

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

  return {
    size: () => all.size,
    touch: (peer) => {
      const key = keyOf(peer)
      if (waiting.delete(key)) waiting.add(key)
    },
    keep: (peer) => void waiting.delete(keyOf(peer)),
  }
}

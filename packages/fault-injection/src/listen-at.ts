import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { hostError, type NodeError } from '@hailstone/protocol'

/** Address to listen on. `scheme` is `http` or `ws`, for error messages. Port 0 takes any free one. */
export type ListenPlace = { readonly host: string; readonly port: number; readonly scheme: string }

/**
 * Connections that wait to be accepted; the system may allow fewer. Of those beyond it the system drops packets, and
 * their sender tries again after a second.
 */
const BACKLOG = 4096

/** Resolves when the server listens. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export function listenAt(server: Server, place: ListenPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(listenError(error, place))
    server.once('error', failed)
    server.listen({ port: place.port, host: place.host, backlog: BACKLOG }, () => {
      server.off('error', failed)
      resolve()
    })
  })
}

/**
 * Finds out at once what would be found out at the end of a start, when a database was made already. Somebody may
 * still take the port in between.
 *
 * @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED`
 */
export async function assertPlaceFree(place: ListenPlace): Promise<void> {
  if (place.port === 0) return
  const server = createServer()
  await listenAt(server, place)
  server.close()
  await once(server, 'close')
}

function listenError(error: NodeJS.ErrnoException, { host, port, scheme }: ListenPlace): NodeError {
  return error.code === 'EADDRINUSE'
    ? hostError('PORT_IN_USE', { host, port }, { cause: error })
    : hostError(
        'SOCKET_FAILED',
        { url: `${scheme}://${host}:${port}`, reason: error.message },
        { cause: error },
      )
}

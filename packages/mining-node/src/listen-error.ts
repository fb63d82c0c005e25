import { hostError, NodeError } from '@hailstone/protocol'

/**
 * Returns the error of a server that cannot listen there, by what there is to do about it.
 *
 * @param at.port 0 takes any free one
 */
export function listenError(
  cause: NodeJS.ErrnoException,
  at: { readonly host: string; readonly port: number },
): Error {
  const refused = (path: string, expected: string, found: string): NodeError =>
    new NodeError('CONFIGURATION_INVALID', { path, expected, found }, { cause })
  switch (cause.code) {
    case 'EADDRINUSE':
      return hostError('PORT_IN_USE', at, { cause })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return refused('host', 'an address of this machine', at.host)
    case 'EACCES':
    case 'EPERM':
      return refused(
        'port',
        'one that the system lets this process open (1024 or above; in a unit of systemd one that SocketBindAllow names)',
        String(at.port),
      )
    default:
      return cause
  }
}

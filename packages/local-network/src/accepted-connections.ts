type AcceptingPort = 'api' | 'gateway'

const counts: Record<AcceptingPort, number> = { api: 0, gateway: 0 }

/** Counts a connection that a listener of this thread accepted. */
export function countAcceptedConnection(port: AcceptingPort): void {
  counts[port]++
}

/** Returns how many connections the listeners of this thread have accepted so far: those of one port, or of both. */
export const acceptedConnections = (port?: AcceptingPort): number =>
  port === undefined ? counts.api + counts.gateway : counts[port]

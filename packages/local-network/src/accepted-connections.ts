let count = 0

/** Counts a connection that a listener of this thread accepted. */
export function countAcceptedConnection(): void {
  count++
}

/** Returns how many connections the listeners of this thread have accepted so far. */
export const acceptedConnections = (): number => count

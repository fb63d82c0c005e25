import type { ClientCore } from './client-core.ts'

/** A client whose every question goes to one API node, which it names. */
export type PinnedCore = ClientCore & {
  /** Base of the node. */
  readonly source: string
}

/**
 * Returns a client that sends every request to one node. Values that belong together are read from one node, since
 * two nodes may be at different heights.
 */
export function pinnedCore(client: ClientCore): PinnedCore {
  const { transport, apiUrl } = client
  const pinned = transport.pinned?.()
  return { ...client, transport: pinned ?? transport, source: pinned?.source ?? apiUrl }
}

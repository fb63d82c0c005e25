import type { ClientCore } from './client-core.ts'

/** A client whose every question goes to one API node, which it names. */
export type PinnedCore = ClientCore & {
  /** Base of the node. */
  readonly source: string
}

/** What is read together should come from one node: two nodes need not stand at the same height. */
export function pinnedCore(client: ClientCore): PinnedCore {
  const { transport, apiUrl } = client
  const pinned = transport.pinned?.()
  return { ...client, transport: pinned ?? transport, source: pinned?.source ?? apiUrl }
}

import { assembleCore, type CreateClientCoreParameters, type CreateTransport } from './assemble-core.ts'
import { bindActions, type ClientActions } from './client-actions.ts'
import type { ClientCore } from './client-core.ts'
import { parseApiUrl } from './transport/api-url.ts'
import { systemClock } from './transport/clock.ts'
import { type ApiNode, createFailoverTransport } from './transport/failover-transport.ts'
import { systemRandomness } from './transport/system-randomness.ts'

export type CreateClientParameters = CreateClientCoreParameters & {
  /** API nodes of the same network, equal among each other: when one does not answer well, another is asked. */
  readonly apiUrls?: readonly string[] | undefined
}

/** One network, asked through one transport. Holds no key; can be shared by everything in a program. */
export type Client = ClientCore & ClientActions

/** A client of all API nodes that were named, with every action bound to it; as {@link assembleCore}. */
export function assembleClient(parameters: CreateClientParameters, createTransport: CreateTransport): Client {
  const { apiUrls, clock = systemClock, randomness = systemRandomness } = parameters
  const apiUrl = parameters.apiUrl ?? apiUrls?.[0]
  const more = apiUrls ?? (apiUrl === undefined ? parameters.network?.apiUrls : undefined) ?? []
  let sharingKey: string | undefined
  const core = assembleCore({ ...parameters, apiUrl }, (first) => {
    const nodeAt = (url: string): ApiNode => ({ url, transport: createTransport({ ...first, apiUrl: url }) })
    const hrefs = new Set(more.map((text) => parseApiUrl(text, first).href))
    hrefs.delete(first.apiUrl)
    // One node needs nobody to choose.
    if (hrefs.size === 0) return createTransport(first)
    sharingKey = [first.apiUrl, ...hrefs].join(' ')
    const nodes = [nodeAt(first.apiUrl), ...[...hrefs].map(nodeAt)] as const
    return createFailoverTransport({ nodes, clock, randomness })
  })
  const shared = sharingKey === undefined ? core : { ...core, sharingKey }
  return { ...shared, ...bindActions(shared) }
}

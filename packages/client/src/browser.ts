import { assembleCore, type CreateClientCoreParameters } from './assemble-core.ts'
import { assembleClient, type Client, type CreateClientParameters } from './client.ts'
import type { ClientCore } from './client-core.ts'
import { createFetchTransport } from './web/fetch-transport.ts'

export * from './index.ts'

/**
 * Makes a client of one network; HTTP goes through `fetch`.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`, `ARGUMENT_INVALID`
 * @example
 * await using client = createClient({ network: networks.bit })
 * const height = await client.getHeight()
 */
export const createClient = (parameters: CreateClientParameters): Client =>
  assembleClient(parameters, createFetchTransport)

/**
 * Creates a client without bound methods, for one API node (of several that a network names, the first). Use it with
 * the actions as functions, so that a bundle contains only the actions it calls.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
 */
export const createClientCore = (parameters: CreateClientCoreParameters): ClientCore =>
  assembleCore(parameters, createFetchTransport)

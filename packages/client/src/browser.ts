import { assembleClient, assembleCore, type Client, type CreateClientParameters } from './client.ts'
import type { ClientCore } from './client-core.ts'
import { createFetchTransport } from './web/fetch-transport.ts'

export * from './index.ts'

/**
 * Makes a client of one network; HTTP goes through `fetch`.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
 */
export const createClient = (parameters: CreateClientParameters): Client =>
  assembleClient(parameters, createFetchTransport)

/**
 * As {@link createClient} without its methods: for the actions as functions, so that a bundle holds only those it
 * uses.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
 */
export const createClientCore = (parameters: CreateClientParameters): ClientCore =>
  assembleCore(parameters, createFetchTransport)

import { assembleClient, type Client, type CreateClientParameters } from './client.ts'
import { createFetchTransport } from './web/fetch-transport.ts'

export * from './index.ts'

/**
 * Makes a client of one network; HTTP goes through `fetch`.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
 */
export const createClient = (parameters: CreateClientParameters): Client =>
  assembleClient(parameters, createFetchTransport)

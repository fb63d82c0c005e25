import { assembleCore, type CreateClientCoreParameters, type CreateTransport } from './assemble-core.ts'
import { assembleClient, type Client, type CreateClientParameters } from './client.ts'
import type { ClientCore } from './client-core.ts'
import { diagnostics } from './diagnostics.ts'
import { assertTransport, nameChecks, ofTransport } from './name-checks.ts'
import { failureReason } from './node/failure-reason.ts'
import { createUndiciTransport } from './node/undici-transport.ts'
import type { Transport } from './transport/transport.ts'
import { type FetchTransportParameters, fetchTransport } from './web/fetch-transport.ts'

export * from './index.ts'
export { type OpenFileJournalParameters, openFileJournal } from './node/file-journal.ts'
export {
  createFileKeystore,
  type FileKeystore,
  type FileKeystoreParameters,
} from './node/file-keystore.ts'
export type { JournalDisk, JournalFile } from './node/journal-disk.ts'
export { createUndiciTransport, type UndiciTransportParameters } from './node/undici-transport.ts'

/** HTTP over `fetch`, as browsers have it; on Node a failure says why. */
export function createFetchTransport(parameters: FetchTransportParameters): Transport {
  assertTransport('of createFetchTransport', parameters, { ...ofTransport, fetch: 'function' })
  return fetchTransport(parameters, failureReason)
}

/** Bun has a module called undici of its own, without pools. */
const createTransport: CreateTransport =
  'bun' in process.versions ? createFetchTransport : createUndiciTransport

/**
 * Makes a client of one network; HTTP goes through undici. Close it when done.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`, `ARGUMENT_INVALID`
 * @example
 * await using client = createClient({ network: networks.bit })
 * await client.getHeight()
 */
export const createClient = (parameters: CreateClientParameters): Client =>
  assembleClient(parameters, createTransport, nameChecks)

/**
 * Creates a client without bound methods, for one API node (of several that a network names, the first). Use it with
 * the actions as functions, so that a bundle contains only the actions it calls.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`, `ARGUMENT_INVALID`
 */
export function createClientCore(parameters: CreateClientCoreParameters): ClientCore {
  nameChecks.core(parameters)
  // Files are small here: what went wrong is explained as by `createClient`.
  return { ...assembleCore(parameters, createTransport), diagnostics: { ...diagnostics, names: nameChecks } }
}

import { openFilesLimit } from '@hailstone/runtime/node'

/** Open files for the database, its folder, the listeners and what Node itself opens. */
const OWN_FILES = 128
const MAX_API_CONNECTIONS = 2048
/** A fleet of 10,000 miners and some more. */
export const MAX_MINERS = 12_000
/** Of the open files that are left for connections; the rest is for miners. */
const API_SHARE = 1 / 3

/**
 * Largest numbers of connections of both ports. Miners never take the open files that the API needs, and neither takes
 * those of the database. For row A-8, many-connections and few-files: Fastify limits no connections.
 */
export function connectionShares(parameters: {
  readonly maxMiners?: number | undefined
  readonly openFiles?: number | undefined
}): { readonly api: number; readonly gateway: number } {
  const { maxMiners = MAX_MINERS, openFiles = openFilesLimit() } = parameters
  const left = Math.max(openFiles - OWN_FILES, 16)
  const api = Math.min(MAX_API_CONNECTIONS, Math.floor(left * API_SHARE))
  return { api, gateway: Math.min(maxMiners, left - api) }
}

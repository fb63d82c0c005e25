import { readFileSync } from 'node:fs'

/** Open files for the database, its folder, the listeners and what Node itself opens. */
const OWN_FILES = 128
const MAX_API_CONNECTIONS = 2048
/** A fleet of 10,000 miners and some more. */
export const MAX_MINERS = 12_000
/** Of the open files that are left for connections; the rest is for miners. */
const API_SHARE = 1 / 3
/** Limit of open files on systems that do not report it: that of most systems. */
const USUAL_FILES = 4096

/** Largest number of open files of this process. Node raises the soft limit to the hard one when it starts. */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    if (limit === 'unlimited') return Number.POSITIVE_INFINITY
    return limit === undefined ? USUAL_FILES : Number(limit)
  } catch {
    return process.platform === 'win32' ? Number.POSITIVE_INFINITY : USUAL_FILES
  }
}

/**
 * Largest numbers of connections of both ports. Miners never take the open files that the API needs, and neither takes
 * those of the database.
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

import { createRequire } from 'node:module'

/** The optional package `ws`. */
export type Ws = typeof import('ws')

/**
 * Loads the package `ws` where it is installed. On Node 20 the names of a CommonJS module now and then arrive without
 * values; `require` has them.
 *
 * @throws what the import throws where the package is not installed
 */
export async function loadWs(): Promise<Ws> {
  const found: Ws = await import('ws')
  return found.WebSocket === undefined || found.WebSocketServer === undefined
    ? createRequire(import.meta.url)('ws')
    : found
}

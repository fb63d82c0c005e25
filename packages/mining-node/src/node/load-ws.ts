import { wholeModule } from '@hailstone/runtime/node'

/** The optional package `ws`. */
export type Ws = typeof import('ws')

/**
 * Loads the package `ws` where it is installed.
 *
 * @throws what the import throws where the package is not installed
 */
export async function loadWs(): Promise<Ws> {
  const imported: Ws = await import('ws')
  return wholeModule(imported, {
    name: 'ws',
    from: () => import.meta.url,
    parts: ['WebSocket', 'WebSocketServer'],
  })
}

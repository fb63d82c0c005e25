// Plain JavaScript, as options.mjs: reports a port that is taken before anything is installed or built.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** @typedef {import('./options.mjs').DemoOptions} DemoOptions */
/** @typedef {Pick<DemoOptions, 'apiPort' | 'gatewayPort' | 'samplePort' | 'appPort'>} Ports */

/** @type {(port: number) => Promise<boolean>} */
async function isTaken(port) {
  const server = createServer()
  const outcome = new Promise((resolve) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => resolve(code === 'EADDRINUSE'))
    server.once('listening', () => resolve(false))
  })
  server.listen(port, '127.0.0.1')
  const taken = await outcome
  if (server.listening) {
    server.close()
    await once(server, 'close')
  }
  return taken
}

/**
 * The first port of the demo that another program has; null when all are free at this moment.
 *
 * @param {Ports} ports
 */
export async function takenPort({ apiPort, gatewayPort, samplePort, appPort }) {
  for (const port of [apiPort, gatewayPort, samplePort, appPort])
    if (port !== 0 && (await isTaken(port))) return port
  return null
}

/**
 * @param {number} port
 * @param {Ports} ports
 */
export function portAdvice(port, { apiPort, gatewayPort, samplePort }) {
  const parts = new Map([
    [apiPort, ['--port', 'HTTP API']],
    [gatewayPort, ['--gateway-port', 'gateway']],
    [samplePort, ['--sample-port', 'sample app']],
  ])
  const [flag, name] = parts.get(port) ?? ['--app-port', 'mining app']
  return (
    `Port ${port} is in use by another program; the demo wants it for its ${name}.\n` +
    `Is another demo running? End it, or take another port: npm start -- ${flag} 0 (0 is any free one).`
  )
}

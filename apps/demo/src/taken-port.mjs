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

/** @type {(text: string) => string} */
const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/**
 * Returns the whole line that starts another demo beside one that runs: a chain of its own, any free ports.
 *
 * @param {Pick<DemoOptions, 'dataDirectory' | 'brandFolder'>} options
 */
export const secondDemoLine = ({ dataDirectory, brandFolder }) => {
  const data = quoted(`${dataDirectory}-2`)
  const brand = brandFolder === undefined ? [] : [`--brand ${quoted(brandFolder)}`]
  const ports = '--port 0 --gateway-port 0 --sample-port 0 --app-port 0'
  return [`npm start -- --data ${data}`, ports, ...brand].join(' ')
}

/**
 * @param {number} port
 * @param {Ports & Pick<DemoOptions, 'dataDirectory' | 'brandFolder'>} options
 */
export function portAdvice(port, options) {
  const { apiPort, gatewayPort, samplePort } = options
  const parts = new Map([
    [apiPort, ['--port', 'HTTP API']],
    [gatewayPort, ['--gateway-port', 'gateway']],
    [samplePort, ['--sample-port', 'sample app']],
  ])
  const [flag, name] = parts.get(port) ?? ['--app-port', 'mining app']
  return (
    `Port ${port}, which the demo uses for its ${name}, is taken by another program.\n` +
    `Is another demo running? End it with Ctrl-C, or run a second one beside it:\n${secondDemoLine(options)}\n` +
    `If it is not a demo, take any free port instead: npm start -- ${flag} 0`
  )
}

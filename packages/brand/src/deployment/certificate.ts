import { connect } from 'node:tls'
import { type Finding, finding } from '../findings/finding.ts'
import { ask, isAnswer } from './site.ts'

const SOON_MS = 14 * 24 * 60 * 60_000
const CONNECT_MS = 10_000

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/**
 * Checks that an app is served by https alone, with a certificate that stays valid. Loopback may do without.
 *
 * @param authority certificate of an authority to trust instead of those that Node knows
 */
export async function certificateFindings(base: URL, authority?: string): Promise<readonly Finding[]> {
  if (base.protocol === 'http:')
    return isLoopback(base) ? [] : [finding('deployment-insecure', { path: base.href, found: 'http' })]
  const validTo = await expiry(base, authority)
  const isSoon = validTo !== null && validTo - Date.now() < SOON_MS
  const found = validTo === null ? '' : new Date(validTo).toISOString().slice(0, 10)
  return [
    ...(isSoon ? [finding('certificate-expires', { path: base.href, found: `valid until ${found}` })] : []),
    ...(base.port === '' ? await plainFindings(base) : []),
  ]
}

/** Returns when the certificate expires, in Unix ms; null if that cannot be read. */
function expiry({ hostname, port }: URL, ca: string | undefined): Promise<number | null> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, ca, servername: hostname, port: port === '' ? 443 : Number(port) })
    const end = (value: number | null): void => {
      socket.destroy()
      resolve(value)
    }
    socket.setTimeout(CONNECT_MS, () => end(null))
    socket.once('error', () => end(null))
    socket.once('secureConnect', () => {
      const time = Date.parse(socket.getPeerCertificate().valid_to)
      end(Number.isNaN(time) ? null : time)
    })
  })
}

/** People type a name without https first. */
async function plainFindings(base: URL): Promise<readonly Finding[]> {
  const plain = new URL(base)
  plain.protocol = 'http:'
  const answer = await ask(plain)
  if (!isAnswer(answer) || (answer.header('location') ?? '').startsWith('https:')) return []
  const found = `status ${answer.status} without a redirect to https`
  return [finding('deployment-insecure', { path: plain.href, found })]
}

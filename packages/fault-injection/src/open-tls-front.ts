import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { assertArgument } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import { type Certificate, createCertificate } from './create-certificate.ts'

/** Defect of a certificate; a `valid` one has none. */
export type CertificateKind = 'valid' | 'expired' | 'notYetValid' | 'wrongHost' | 'selfSigned'

/** A listener with TLS in front of a plain one. Whoever opened it closes it. */
export type TlsFront = AsyncDisposable & {
  /** URL of the plain listener, with `https` or `wss` and another port. */
  readonly url: string
  /** In PEM; a client that trusts it finds nothing wrong but what was asked for. */
  readonly authority: string
  /** Ends the listener and its connections. */
  readonly close: () => Promise<void>
}

const DAY_MS = 24 * 60 * 60 * 1000
const HOSTS = ['localhost', '127.0.0.1']

function certificateOf(kind: CertificateKind): { readonly leaf: Certificate; readonly authority: string } {
  const now = Date.now()
  const between = (from: number, until: number) => ({
    from: new Date(now + from * DAY_MS),
    until: new Date(now + until * DAY_MS),
  })
  const root = createCertificate({ commonName: 'Local network authority', ...between(-100, 100) })
  const times = { expired: between(-90, -1), notYetValid: between(1, 90) }
  const leaf = createCertificate({
    commonName: 'local network',
    ...between(-90, 90),
    ...(kind === 'expired' || kind === 'notYetValid' ? times[kind] : {}),
    hosts: kind === 'wrongHost' ? ['elsewhere.example'] : HOSTS,
    authority: kind === 'selfSigned' ? undefined : { commonName: 'Local network authority', key: root.key },
  })
  return { leaf, authority: root.certificate }
}

/**
 * Puts TLS in front of the HTTP interface or the gateway of a network, with a certificate of the kind that is
 * asked for and a key of its own.
 *
 * @param parameters.to `apiUrl` or `gatewayUrl`
 * @example
 * await using front = await openTlsFront({ to: network.apiUrl, certificate: 'expired' })
 */
export async function openTlsFront(parameters: {
  /** URL of the plain listener, `http:` or `ws:`. */
  readonly to: string
  readonly certificate: CertificateKind
}): Promise<TlsFront> {
  const { to, certificate } = Object(parameters) as typeof parameters
  assertArgument(canParseUrl(to), 'to', 'the address of an API or a gateway', to)
  const target = new URL(to)
  const { leaf, authority } = certificateOf(certificate)
  const open = new Set<Socket>()
  const server = createServer({ key: leaf.privateKey, cert: leaf.certificate }, (secure) => {
    const plain = connect({ host: target.hostname, port: Number(target.port) })
    // Either end takes the other with it, however it ends.
    secure.on('error', () => plain.destroy()).on('close', () => plain.destroy())
    plain.on('error', () => secure.destroy()).on('close', () => secure.destroy())
    secure.pipe(plain).pipe(secure)
  })
  server.on('connection', (raw: Socket) => {
    open.add(raw)
    raw.once('close', () => open.delete(raw))
  })
  // A client that refuses the certificate is what this is for.
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(to.replace(/^(http|ws):/, '$1s:'))
  url.hostname = 'localhost'
  url.port = String((server.address() as AddressInfo).port)
  const close = (): Promise<void> => {
    for (const raw of open) raw.destroy()
    return new Promise((resolve) => void server.close(() => resolve()))
  }
  return { url: url.href.replace(/\/$/, ''), authority, close, [Symbol.asyncDispose]: close }
}

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { canParseUrl } from '../hosts.ts'

type Environment = Readonly<Record<string, string | undefined>>

const settingOf = (name: string, environment: Environment): string =>
  environment[name.toLowerCase()] ?? environment[name] ?? ''

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:'
const portOf = (url: URL): string => url.port || (isSecure(url) ? '443' : '80')

const THIS_MACHINE = '127.0.0.0/8,::1,localhost'

/** A name, or an address or range with or without brackets, and perhaps a port. */
function readEntry(entry: string): { readonly name: string; readonly bits?: string; readonly port?: string } {
  const [, inside, ofInside, portOfInside] = /^\[([^\]]*)](?:\/(\d+))?(?::(\d+))?$/.exec(entry) ?? []
  if (inside !== undefined) return withRange(inside, portOfInside, ofInside)
  // Colons are a part of an IPv6 address, and a port stands behind brackets.
  if (isIPv6(entry.replace(/\/\d+$/, ''))) return withRange(entry)
  const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? []
  return withRange(name, port)
}

function withRange(text: string, port?: string, bits?: string) {
  const [, address = text, ofText = bits] = /^(.+)\/(\d+)$/.exec(text) ?? []
  return { name: address, ...(ofText && { bits: ofText }), ...(port && { port }) }
}

/** True for an address of the range; a text that is not a range has no address. */
function isInRange(host: string, address: string, bits: string | undefined): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const most = family === 'ipv6' ? 128 : 32
  if (isIP(address) === 0 || Number(bits ?? most) > most) return false
  const range = new BlockList()
  range.addSubnet(address.replace(/%.*$/, ''), Number(bits ?? most), family)
  // An IPv4 address inside an IPv6 address is found in ranges of IPv4.
  return range.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}

/**
 * True for a host that `NO_PROXY` lists: `*`, its name or that of a domain above it, its address, or a range that has its
 * address (`10.0.0.0/8`, `fd00::/8`); each with a port or without.
 */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|]$|\.$/g, '').toLowerCase()
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === '') return false
    const { name, bits, port = portOf(url) } = readEntry(entry)
    if (Number(port) !== Number(portOf(url))) return false
    if (name === '*') return true
    if (isIP(host) !== 0) return isInRange(host, name, bits)
    const domain = name.replace(/^\*?\.|\.$/g, '').toLowerCase()
    return bits === undefined && domain !== '' && (host === domain || host.endsWith(`.${domain}`))
  })
}

/** `ALL_PROXY` often names a SOCKS proxy for other programs, which cannot be used here. */
const isOfHttp = (proxy: string): boolean => !proxy.includes('://') || /^https?:/i.test(proxy)

/** Returns the proxy of the variable for this protocol, else of `ALL_PROXY`. A variable with an empty value switches both off. */
function namedProxy(url: URL, environment: Environment): string {
  const name = isSecure(url) ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const own = environment[name.toLowerCase()] ?? environment[name]
  if (own !== undefined) return own.trim()
  const all = settingOf('ALL_PROXY', environment).trim()
  return isOfHttp(all) ? all : ''
}

/**
 * The proxy that the environment names for an address: `HTTPS_PROXY` for `https:` and `wss:`, `HTTP_PROXY` for `http:`
 * and `ws:`, else `ALL_PROXY`; in small letters too. Null where nothing lies between: without such a variable, for hosts
 * in `NO_PROXY`, and for this machine itself. A variable that holds no address is a proxy that cannot be reached.
 */
export function proxyOf(url: URL, environment: Environment = process.env): URL | null {
  const proxy = namedProxy(url, environment)
  if (proxy === '' || isExempt(url, `${THIS_MACHINE},${settingOf('NO_PROXY', environment)}`)) return null
  const text = proxy.includes('://') ? proxy : `http://${proxy}`
  return canParseUrl(text) ? new URL(text) : new URL('unreadable:')
}

/** Why there is no way through a proxy: nothing that was to go through it was sent. The message holds no password. */
export class ProxyError extends Error {
  /** Code of the system, or what the proxy answered. */
  readonly why: string
  /** Rest of the sentence, which names the proxy. */
  readonly place: string

  constructor(why: string, { host }: URL) {
    const place = `at the proxy${host === '' ? ', whose variable holds no address' : ` ${host}`}`
    super(`${why} ${place}`)
    this.why = why
    this.place = place
  }
}

/**
 * Asks a proxy for a connection to a host (CONNECT).
 *
 * @param parameters.target address whose host and port are asked for
 * @param parameters.timeoutMs until the proxy has answered. Default: 5,000
 * @throws {ProxyError}
 */
function connectThrough(parameters: {
  readonly proxy: URL
  readonly target: URL
  readonly timeoutMs?: number | undefined
}): Promise<Socket> {
  const { proxy, target, timeoutMs = 5_000 } = parameters
  const place = `${target.hostname}:${portOf(target)}`
  const failed = (why: string): ProxyError => new ProxyError(why, proxy)
  return new Promise((resolve, reject) => {
    if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')
      throw failed('only http:// and https:// are taken')
    const asked = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: place,
      agent: false,
      headers: { host: place, ...credentialsOf(proxy) },
    })
    const timer = setTimeout(() => {
      asked.destroy()
      reject(failed(`no answer within ${timeoutMs / 1_000} s`))
    }, timeoutMs)
    asked.on('connect', ({ statusCode }, socket: Socket, head: Buffer) => {
      clearTimeout(timer)
      if (statusCode !== 200) {
        socket.destroy()
        reject(
          failed(
            statusCode === 407 ? 'status 407 (a name and a password are needed)' : `status ${statusCode}`,
          ),
        )
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(failed(code?.startsWith('HPE_') ? 'the answer is no HTTP' : (code ?? message)))
    })
    asked.end()
  })
}

/** A percent sign may stand for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function credentialsOf({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username + password === '') return {}
  const text = `${decoded(username)}:${decoded(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

/** Host that a certificate has to name. TLS has names alone in its greeting, no addresses (RFC 6066). */
function peerOf({ hostname }: URL): { readonly host: string; readonly servername: string } {
  const host = hostname.replace(/^\[|]$/g, '')
  return { host, servername: isIP(host) === 0 ? host : '' }
}

type CreateConnection = (
  options: object,
  done: (error: Error | null, socket: Duplex) => void,
) => Duplex | null | undefined

/** Options of node:http, node:https and the package `ws` for an address: empty where no proxy is in between. */
export function throughProxy(
  target: URL,
  { timeoutMs }: { readonly timeoutMs?: number | undefined } = {},
): { readonly createConnection?: CreateConnection; readonly agent?: undefined } {
  const proxy = proxyOf(target)
  if (proxy === null) return {}
  const createConnection: CreateConnection = (options, done) => {
    connectThrough({ proxy, target, timeoutMs }).then(
      (socket) =>
        done(null, isSecure(target) ? tlsConnect({ ...options, socket, ...peerOf(target) }) : socket),
      (error: unknown) => done(error as Error, undefined as never),
    )
    return undefined
  }
  // An agent would make the connection itself.
  return { createConnection, agent: undefined }
}

/** Status codes of answers that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

/** Fetches as `fetch` does, through the proxy that the environment names. Redirects are not followed through a proxy. */
export async function fetchThroughProxy(url: string, options: RequestInit = {}): Promise<Response> {
  const target = new URL(url)
  if (proxyOf(target) === null) return fetch(url, options)
  const request = new Request(url, options)
  const { method, signal } = request
  const headers = Object.fromEntries(request.headers)
  const body = Buffer.from(await request.arrayBuffer())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = isSecure(target) ? httpsRequest : httpRequest
    const sent = send(target, { method, headers, signal, ...(throughProxy(target) as object) }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
  const { statusCode: status = 0, headersDistinct } = answer
  const all = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  try {
    return new Response(EMPTY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream), {
      status,
      headers: all,
    })
  } catch (error) {
    // A status above 599, for one.
    answer.destroy()
    throw error
  }
}

type ConnectOptions = { readonly protocol: string; readonly host?: string; readonly httpSocket?: Socket }
type Connect<Options> = (
  options: Options,
  done: (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void

/** Returns a connector of undici that goes where the environment says: through a proxy, or straight as `connect` does. */
export const outwardConnector =
  <Options extends ConnectOptions>(connect: Connect<Options>, timeoutMs: number): Connect<Options> =>
  (options, done) => {
    const target = new URL(`${options.protocol}//${options.host}`)
    const proxy = proxyOf(target)
    if (proxy === null) return connect(options, done)
    connectThrough({ proxy, target, timeoutMs }).then(
      (socket) => (isSecure(target) ? connect({ ...options, httpSocket: socket }, done) : done(null, socket)),
      (error: unknown) => done(error as Error, null),
    )
  }

import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { canParseUrl, isLoopbackHost } from '../hosts.ts'

type Environment = Readonly<Record<string, string | undefined>>

const settingOf = (name: string, environment: Environment): string =>
  environment[name.toLowerCase()] ?? environment[name] ?? ''

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:'
const portOf = (url: URL): string => url.port || (isSecure(url) ? '443' : '80')

/** True for a host that `NO_PROXY` lists: by its name or that of a domain above it, with a port or without. */
function isExempt(url: URL, list: string): boolean {
  if (list.trim() === '*') return true
  const host = url.hostname.toLowerCase()
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === '') return false
    const [, name = entry, port = ''] = /^(.+):(\d+)$/.exec(entry) ?? []
    const domain = name.replace(/^\*?\./, '').toLowerCase()
    return (port === '' || port === portOf(url)) && (host === domain || host.endsWith(`.${domain}`))
  })
}

/**
 * The proxy that the environment names for an address: `HTTPS_PROXY` for `https:` and `wss:`, `HTTP_PROXY` for `http:`
 * and `ws:`, in small letters too. Null where nothing lies between: without such a variable, for hosts in `NO_PROXY`,
 * and for this machine itself. A variable that holds no address is a proxy that cannot be reached.
 */
export function proxyOf(url: URL, environment: Environment = process.env): URL | null {
  const proxy = settingOf(isSecure(url) ? 'HTTPS_PROXY' : 'HTTP_PROXY', environment)
  if (proxy === '' || isLoopbackHost(url.hostname)) return null
  if (isExempt(url, settingOf('NO_PROXY', environment))) return null
  const text = proxy.includes('://') ? proxy : `http://${proxy}`
  return canParseUrl(text) ? new URL(text) : new URL('unreadable:')
}

/**
 * Asks a proxy for a connection to a host (CONNECT).
 *
 * @param parameters.target address whose host and port are asked for
 * @param parameters.timeoutMs until the proxy has answered. Default: 5,000
 * @throws {Error} that names the proxy, and never its password
 */
export function connectThrough(parameters: {
  readonly proxy: URL
  readonly target: URL
  readonly timeoutMs?: number | undefined
}): Promise<Socket> {
  const { proxy, target, timeoutMs = 5_000 } = parameters
  const place = `${target.hostname}:${portOf(target)}`
  const failed = (what: string): Error => new Error(`${what} at the proxy ${proxy.host}`)
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
        reject(failed(`status ${statusCode}`))
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(failed(code ?? message))
    })
    asked.end()
  })
}

function credentialsOf({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` }
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
        done(
          null,
          isSecure(target) ? tlsConnect({ ...options, socket, servername: target.hostname }) : socket,
        ),
      (error: unknown) => done(error as Error, undefined as never),
    )
    return undefined
  }
  // An agent would make the connection itself.
  return { createConnection, agent: undefined }
}

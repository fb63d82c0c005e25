import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { NodeError } from '@hailstone/protocol'
import { isLoopbackHost } from '@hailstone/runtime'

/** Conditions under which a request for health is answered. */
export type HealthAccess = {
  /** Bearer token of every request but those for `/livez`. At least 24 visible ASCII characters. */
  readonly token?: string | undefined
  /** Names, besides those of loopback and the address that was connected to, under which requests may come. */
  readonly allowedHosts?: readonly string[] | undefined
}

const TOKEN = /^[!-~]{24,512}$/

const refused = (expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path: 'access.token', expected, found })

/** @throws {NodeError} `CONFIGURATION_INVALID` if strangers could read, or could guess the token */
export function assertAccess(host: string, { token }: HealthAccess): void {
  if (token !== undefined && !TOKEN.test(token))
    throw refused('24 to 512 visible ASCII characters', `a text of ${token.length} characters`)
  if (token === undefined && !isLoopbackHost(host.includes(':') ? `[${host}]` : host))
    throw refused(`a token, since other machines can reach ${host}`, 'none')
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Takes the same time for every wrong token, of any length. */
const isToken = (authorization: string, token: string): boolean => {
  const [, given = ''] = /^Bearer +([!-~]+)$/i.exec(authorization) ?? []
  return timingSafeEqual(digest(given), digest(token))
}

/** Names by which a program on this machine knows it. */
const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]'])
const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d{1,5}$/, '')

/** The address that a request was sent to, as a `Host` header has it. A page under another name cannot send that. */
function ownAddress(address: string | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? `[${plain}]` : plain
}

/** Returns the status with which a request is refused, or null if it is answered. */
export function judgeRequest(
  { headers, url = '/', socket }: IncomingMessage,
  { token, allowedHosts = [] }: HealthAccess,
): 401 | 403 | null {
  const host = withoutPort(headers.host ?? '')
  const isKnown =
    LOCAL.has(host) ||
    host === ownAddress(socket.localAddress) ||
    allowedHosts.some((name) => name.toLowerCase() === host)
  if (!isKnown) return 403
  if (/^\/livez(?:\?|$)/.test(url)) return null
  if (token === undefined) return isLoopbackHost(ownAddress(socket.localAddress)) ? null : 401
  return isToken(headers.authorization ?? '', token) ? null : 401
}

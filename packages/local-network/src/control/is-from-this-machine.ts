import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost } from '@hailstone/runtime'

const hostOf = (authority: string): string => authority.replace(/:\d*$/, '')

/**
 * True if a request comes from a program of this machine or from a page that this server itself serves. A page of
 * another site names its origin; one whose name was pointed at this machine names a foreign host.
 */
export function isFromThisMachine(headers: IncomingHttpHeaders): boolean {
  const { host = '', origin } = headers
  const site = headers['sec-fetch-site']
  if (!isLoopbackHost(hostOf(host))) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === `http://${host}`
}

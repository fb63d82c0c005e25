import type { IncomingHttpHeaders } from 'node:http'
import { type HostRules, hostNameOf, isAnswered } from './answered-hosts.ts'

/** Origins of pages that may open sockets besides those of this machine; `*` is every page. */
export type OriginRules = HostRules & { readonly origins: readonly string[] }

/**
 * True if a page of this origin may open a socket. Sockets are not subject to the same-origin policy, so any page could
 * reach the gateway of this machine. Programs that are no browsers send no origin.
 */
function isOriginAnswered(origin: string, rules: OriginRules): boolean {
  if (rules.origins.includes('*') || rules.origins.includes(origin)) return true
  try {
    const { protocol, hostname } = new URL(origin)
    // Apps that wrap a page have origins such as capacitor://localhost.
    return (
      protocol !== 'file:' && hostname !== '' && isAnswered(hostNameOf(hostname), { ...rules, allowed: [] })
    )
  } catch {
    return false
  }
}

/** Null if an upgrade is welcome, or a sentence that says why it is not. */
export function refusalOfUpgrade(headers: IncomingHttpHeaders, rules: OriginRules): string | null {
  const { host, origin } = headers
  if (host !== undefined && !isAnswered(hostNameOf(host), rules))
    return `This gateway does not answer for the host ${hostNameOf(host)}; --allow-host would change that.`
  if (origin !== undefined && !isOriginAnswered(origin, rules))
    return 'This gateway takes no miners from pages of this origin; --allow-origin would change that.'
  return null
}

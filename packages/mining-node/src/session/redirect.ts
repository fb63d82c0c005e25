import { canParseUrl, isPrivateHost } from '@hailstone/runtime'

/** Where a `peer` message may lead (PROTOCOL 5.4). */
export type Redirect =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly why: string }

/**
 * Builds the address a gateway sends us to. The scheme stays, so `wss:` never becomes `ws:`. From a public
 * gateway nobody is sent into a private network; a name that resolves into one cannot be seen here.
 */
export function redirectTarget(parameters: {
  readonly currentUrl: string
  readonly host: string
  readonly port: number
}): Redirect {
  const current = new URL(parameters.currentUrl)
  const isBareIpv6 = parameters.host.includes(':') && !parameters.host.startsWith('[')
  const host = isBareIpv6 ? `[${parameters.host}]` : parameters.host
  const text = `${current.protocol}//${host}:${parameters.port}/`
  if (!canParseUrl(text)) return { ok: false, why: 'the address cannot be read' }
  const target = new URL(text)
  if (isPrivateHost(target.hostname) && !isPrivateHost(current.hostname)) {
    return { ok: false, why: 'a public gateway may not lead into a private network' }
  }
  return { ok: true, url: target.href }
}

import { canParseUrl, isLoopbackHost, isPrivateHost } from '@hailstone/runtime'

/** Result of a `peer` message: the gateway to use, or the reason for refusing it (PROTOCOL 5.4). */
export type Redirect =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly why: string }

/** True for `ws:` to any other machine than this one. */
export const isUnencrypted = ({ protocol, hostname }: URL): boolean =>
  protocol === 'ws:' && !isLoopbackHost(hostname)

/**
 * Builds the address a gateway sends us to. The scheme stays, so `wss:` never becomes `ws:`. From a public
 * gateway nobody is sent into a private network; a name that resolves into one cannot be seen here.
 */
export function redirectTarget(parameters: {
  readonly currentUrl: string
  readonly host: string
  readonly port: number
  readonly requireEncryption?: boolean | undefined
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
  if (parameters.requireEncryption && isUnencrypted(target)) {
    return { ok: false, why: 'the connection would not be encrypted' }
  }
  return { ok: true, url: target.href }
}

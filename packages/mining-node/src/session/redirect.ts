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
  if (!URL.canParse(text)) return { ok: false, why: 'the address cannot be read' }
  const target = new URL(text)
  if (isPrivateHost(target.hostname) && !isPrivateHost(current.hostname)) {
    return { ok: false, why: 'a public gateway may not lead into a private network' }
  }
  return { ok: true, url: target.href }
}

/** True for loopback, link-local and private addresses and for names that only a local resolver knows. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1))
  const octets = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host)
  if (octets !== null) return isPrivateIpv4(Number(octets[1]), Number(octets[2]))
  return !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa|lan)$/.test(host)
}

/** RFC 1122, 1918, 3927 and 6598, and everything from 224 on. */
function isPrivateIpv4(first: number, second: number): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return true
  if (first === 100) return second >= 64 && second <= 127
  if (first === 169) return second === 254
  if (first === 172) return second >= 16 && second <= 31
  return first === 192 && second === 168
}

/** RFC 4291, 4193; an embedded IPv4 address, however it is written, is judged as private. */
const isPrivateIpv6 = (host: string): boolean =>
  host.startsWith('::') || /^(?:f[cdef]|64:ff9b:|2002:)/.test(host)

import { contentSecurityPolicy } from '../generators/content-security-policy.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'

/** Hosts for which a build writes what they read. `static`: any host that serves files. */
export const hostNames = [
  'static',
  'nginx',
  'caddy',
  'apache',
  'cloudflare',
  'netlify',
  'github-pages',
  's3',
] as const

/** Host or server whose configuration can be written. */
export type HostName = (typeof hostNames)[number]

/** Rules for serving the app, printed in the language of each host. */
export type HostRules = {
  /** Id of the brand; names folders and variables. */
  readonly id: string
  /** Name of the host that people open. */
  readonly hostName: string
  /** Headers of every answer. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Path of the gateway on this host, which a bridge answers; null if the brand names none here. */
  readonly bridgePath: string | null
}

/** Folder of files whose names carry a hash of their content. */
export const IMMUTABLE_FOLDER = '/assets/'
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Default address of `hailstone bridge`. */
export const BRIDGE_ADDRESS = '127.0.0.1:4430'

/** Returns the headers of every answer of a host that serves a brand's app. */
export const responseHeaders = (brand: ResolvedBrand): HostRules['headers'] => [
  ['Content-Security-Policy', contentSecurityPolicy(brand)],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(self), geolocation=(), microphone=()'],
]

const PLACEHOLDER_HOST = 'app.example.org'

export function hostRules(brand: ResolvedBrand): HostRules {
  const hostName = brand.deepLink.hosts[0] ?? PLACEHOLDER_HOST
  const gateways = brand.network.poa.map((address) => new URL(address))
  const own = gateways.find(({ protocol, hostname }) => protocol === 'wss:' && hostname === hostName)
  const path = own?.pathname ?? '/'
  // Only plain paths get into a configuration file; the root is the app's.
  const isPlain = /^\/[A-Za-z0-9_/-]+$/.test(path)
  return { id: brand.id, hostName, headers: responseHeaders(brand), bridgePath: isPlain ? path : null }
}

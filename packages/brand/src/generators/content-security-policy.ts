import { canParseUrl } from '@hailstone/runtime'
import { isPlainHost } from '../checks/host-rules.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'

/** Name of the shell's only Trusted Types policy, which admits its worker and service worker. */
export const TRUSTED_TYPES_POLICY = 'hailstone'

/** Directives that work in a header only, not in a `<meta>` element. */
const headerOnly: readonly string[] = ['frame-ancestors']

/** Returns the origins that the app connects to. Settings without effect open it to no host. */
export function connectSources(brand: ResolvedBrand): readonly string[] {
  const { api, poa, faucet } = brand.network
  const addresses = [api, ...poa, faucet, brand.links.statusFeed]
  const origins = addresses.flatMap((address) => originOf(address) ?? [])
  return [...new Set(["'self'", ...origins])]
}

/** Returns only the origin, so that no path, query or malformed host of a brand gets into a policy. */
function originOf(address: string | null): string | undefined {
  if (address === null || !canParseUrl(address)) return undefined
  const { protocol, host, hostname } = new URL(address)
  return isPlainHost(hostname) ? `${protocol}//${host}` : undefined
}

function directives(brand: ResolvedBrand): readonly (readonly [name: string, value: string])[] {
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'"],
    ['style-src', "'self'"],
    ['img-src', "'self' data:"],
    ['font-src', "'self'"],
    ['connect-src', connectSources(brand).join(' ')],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['frame-ancestors', "'none'"],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', TRUSTED_TYPES_POLICY],
  ]
}

/**
 * Returns the Content-Security-Policy of a brand's app: nothing external except connections to its network
 * and to the feed of incidents that it names.
 *
 * @param form `header` for a server; `meta` for the page itself, without the directives that only headers may have
 */
export const contentSecurityPolicy = (brand: ResolvedBrand, form: 'header' | 'meta' = 'header'): string =>
  directives(brand)
    .filter(([name]) => form === 'header' || !headerOnly.includes(name))
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

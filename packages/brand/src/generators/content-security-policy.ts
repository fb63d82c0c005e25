import { canParseUrl } from '@hailstone/runtime'
import { isPlainHost } from '../checks/host-rules.ts'
import { networkPresets } from '../layers/network-presets.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'

/** Name of the one Trusted Types policy of the shell: it makes addresses of its worker and service worker. */
export const TRUSTED_TYPES_POLICY = 'hailstone'

/** Directives a `<meta>` element may not hold; they only work as a header. */
const headerOnly: readonly string[] = ['frame-ancestors']

/** Where the app may connect to: exactly the addresses of its brand, as origins. */
export function connectSources(brand: ResolvedBrand): readonly string[] {
  const { network, links, update, telemetry } = brand
  const presets = network.userSelectable
    ? Object.values(networkPresets).flatMap(({ api, poa, faucet }) => [api, ...poa, faucet])
    : []
  const addresses = [
    network.api,
    ...network.poa,
    network.faucet,
    links.statusFeed,
    update.source === 'url' ? update.url : null,
    telemetry.enabled ? telemetry.dsn : null,
    ...presets,
  ]
  const origins = addresses.flatMap((address) => originOf(address) ?? [])
  // Users who type an address of their own may go anywhere, encrypted.
  const open = network.allowCustom ? ['https:', 'wss:'] : []
  return [...new Set(["'self'", ...origins, ...open])]
}

/** The origin alone: a path or query of a brand never gets into a policy, nor a host that could end a directive. */
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
 * The Content-Security-Policy of a brand's app: nothing from elsewhere but the connections of its network.
 *
 * @param form `header` for a server, `meta` for the page itself, which leaves out what only headers may say
 */
export const contentSecurityPolicy = (brand: ResolvedBrand, form: 'header' | 'meta' = 'header'): string =>
  directives(brand)
    .filter(([name]) => form === 'header' || !headerOnly.includes(name))
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

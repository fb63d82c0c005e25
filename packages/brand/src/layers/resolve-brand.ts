import {
  type Address,
  decodeReferralCode,
  looksLikeAddress,
  parseAddress,
  referralCodeFault,
} from '@hailstone/protocol'
import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'
import type { BrandBase } from '../brand-base.ts'
import type { EnvironmentName } from '../define-brand.ts'
import { networkPresets } from './network-presets.ts'
import type { PlainObject } from './plain-data.ts'
import { artSlots, type ResolvedBrand, type ResolvedFont } from './resolved-brand.ts'

// Shape of a merged brand on top of the shell defaults: all sections exist.
type Sections =
  | 'network'
  | 'referral'
  | 'links'
  | 'legal'
  | 'features'
  | 'mining'
  | 'security'
  | 'i18n'
  | 'pwa'
  | 'update'
type Merged = BrandBase & { readonly [K in Sections]-?: Exclude<BrandBase[K], undefined> }

const noArt = Object.fromEntries(artSlots.map((slot) => [slot, null])) as ResolvedBrand['assets']['art']

const SHORT_NAME_LENGTH = 12

/**
 * Fills defaults that depend on other settings. Input: shell defaults, brand, environment and flags merged, with
 * checked structure. Values that are still wrong (a bad agent, no API) become null or empty and are reported by the
 * rules.
 */
export function resolveBrand(merged: PlainObject, environment: EnvironmentName): ResolvedBrand {
  const brand = merged as unknown as Merged
  return {
    schema: 1,
    id: brand.id,
    environment,
    app: resolveApp(brand),
    token: resolveToken(brand),
    network: resolveNetwork(brand),
    referral: resolveReferral(brand),
    theme: resolveTheme(brand),
    assets: resolveAssets(brand),
    links: resolveLinks(brand),
    legal: resolveLegal(brand),
    ...resolveBehaviour(brand),
    ...resolveDelivery(brand),
  }
}

function resolveApp({ app }: Merged): ResolvedBrand['app'] {
  const { name, tagline = null, publisher = null, homepage = null, supportEmail = null } = app
  const shortName = app.shortName ?? shortened(name)
  return { name, shortName, tagline, publisher, homepage, supportEmail }
}

/** Returns as many whole words as fit under an icon, or the beginning of the first. */
function shortened(name: string): string {
  const letters = [...name]
  if (letters.length <= SHORT_NAME_LENGTH) return name
  const head = letters.slice(0, SHORT_NAME_LENGTH + 1).join('')
  const end = head.search(/\s+\S*$/)
  return end > 0 ? head.slice(0, end) : letters.slice(0, SHORT_NAME_LENGTH).join('')
}

function resolveToken({ token }: Merged): ResolvedBrand['token'] {
  const { hash, ticker = null, decimals = null, display } = token
  const fractionMax = display?.fractionMax ?? (decimals === null ? null : Math.min(decimals, 6))
  return { hash, ticker, decimals, display: { symbol: display?.symbol ?? ticker, fractionMax } }
}

function resolveNetwork({ network }: Merged): ResolvedBrand['network'] {
  const { preset = 'testnet', explorer = null } = network
  const known = preset === 'custom' ? undefined : networkPresets[preset]
  // A preset's gateway and faucet belong to its API. A custom API does not inherit them.
  const isOwn = network.api !== undefined && network.api !== known?.api
  return {
    preset,
    api: network.api ?? known?.api ?? '',
    poa: network.poa ?? (isOwn ? [] : known?.poa) ?? [],
    explorer,
    faucet: network.faucet ?? (isOwn ? localFaucet(network.api) : known?.faucet) ?? null,
    nativeToken: network.nativeToken ?? known?.nativeToken ?? null,
  }
}

/** A network on this machine is one for development, and serves its faucet beside its API. */
const localFaucet = (api = ''): string | null =>
  canParseUrl(api) && isLoopbackHost(new URL(api).hostname) ? `${api.replace(/\/$/, '')}/faucet` : null

function resolveReferral({ referral }: Merged): ResolvedBrand['referral'] {
  const { enabled = true, defaultAgent = null, userCanChange = true, linkBase = null } = referral
  return { enabled, defaultAgent: readAgent(defaultAgent), userCanChange, linkBase }
}

/** Parses an address or referral code; null if it is absent or malformed. */
function readAgent(text: string | null): Address | null {
  if (text === null) return null
  if (looksLikeAddress(text)) return parseAddress(text)
  return referralCodeFault(text) === null ? decodeReferralCode(text) : null
}

function hostOf(url: string | undefined): string | null {
  return url !== undefined && canParseUrl(url) ? new URL(url).host : null
}

function resolveTheme({ theme }: Merged): ResolvedBrand['theme'] {
  const { primary, accent = null, success = null, warning = null, danger = null, dark } = theme
  const { shape = 'soft', density = 'regular', hero = 'ring', ground = 'plain' } = theme
  const { mode = 'system', radius = 'md', font = 'system', contrast = 'error' } = theme
  const { headings = font } = theme
  return {
    primary,
    accent,
    success,
    warning,
    danger,
    dark: { primary: dark?.primary ?? null, accent: dark?.accent ?? null },
    mode,
    radius,
    shape,
    density,
    hero,
    ground,
    font: resolveFont(font),
    headings: resolveFont(headings),
    contrast,
  }
}

const resolveFont = (font: Exclude<Merged['theme']['font'], undefined>): ResolvedFont =>
  typeof font === 'string' ? { kind: font } : { kind: 'own', ...font }

function resolveAssets({ assets, theme }: Merged): ResolvedBrand['assets'] {
  const { logo, icon, logoDark = null, mark = null, socialCard = null, art = {} } = assets
  return {
    logo,
    logoDark,
    icon,
    mark,
    splashBackground: assets.splashBackground ?? theme.primary,
    socialCard,
    art: { ...noArt, ...withoutUndefined(art) },
  }
}

function resolveLinks({ links }: Merged): ResolvedBrand['links'] {
  const {
    terms = null,
    privacy = null,
    support = null,
    whitepaper = null,
    statusFeed = null,
    claim = null,
  } = links
  return {
    terms,
    privacy,
    support,
    whitepaper,
    statusFeed,
    claim,
    signIn: links.signIn ?? [],
    community: links.community ?? [],
    buy: links.buy ?? [],
  }
}

function resolveLegal({ legal, links }: Merged): ResolvedBrand['legal'] {
  const { version = null, minimumAge = null, translations = [] } = legal
  const { terms = null, privacy = null } = links
  return {
    version,
    minimumAge,
    translations: translations.map((one) => ({ terms, privacy, ...withoutUndefined(one) })),
  }
}

function resolveBehaviour(brand: Merged): Pick<ResolvedBrand, 'features' | 'mining' | 'security' | 'i18n'> {
  const invite = brand.features.invite ?? brand.referral.enabled ?? true
  return {
    features: { ...brand.features, invite } as ResolvedBrand['features'],
    mining: { ...brand.mining } as ResolvedBrand['mining'],
    security: { ...brand.security } as ResolvedBrand['security'],
    i18n: { default: brand.i18n.default ?? 'en', enabled: brand.i18n.enabled ?? [] },
  }
}

function resolveDelivery(brand: Merged): Pick<ResolvedBrand, 'pwa' | 'native' | 'deepLink' | 'update'> {
  const host = hostOf(brand.app.homepage)
  const { source = 'none', url = null, mode = 'prompt' } = brand.update
  return {
    pwa: { ...brand.pwa } as ResolvedBrand['pwa'],
    native: resolveNative(brand),
    deepLink: {
      scheme: brand.deepLink?.scheme ?? brand.id,
      hosts: brand.deepLink?.hosts ?? (host === null ? [] : [host]),
    },
    update: { source, url, mode },
  }
}

function resolveNative({ native }: Merged): ResolvedBrand['native'] {
  const { android, ios } = native ?? {}
  return {
    android:
      android === undefined
        ? null
        : { versionCode: 1, channel: 'sideload', signingFingerprints: [], ...withoutUndefined(android) },
    ios: ios === undefined ? null : { bundleId: ios.bundleId, teamId: ios.teamId ?? null },
  }
}

const withoutUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

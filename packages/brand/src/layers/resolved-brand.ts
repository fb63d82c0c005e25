import type { Address } from '@hailstone/protocol'
import type { BrandBase } from '../brand-base.ts'
import type { EnvironmentName } from '../define-brand.ts'
import type { PresetName } from './network-presets.ts'

type Given<T> = Exclude<T, undefined>
type Features = Given<BrandBase['features']>
type Mining = Given<BrandBase['mining']>
type Security = Given<BrandBase['security']>
type Theme = BrandBase['theme']
type Pwa = Given<BrandBase['pwa']>
type Android = Given<Given<BrandBase['native']>['android']>
type Links = Given<BrandBase['links']>
/** Places of the app where a brand may have a drawing of its own. */
export const artSlots = ['welcome', 'firstReward', 'noRewards', 'noActivity'] as const

export type ArtSlot = (typeof artSlots)[number]

type Full<T> = { readonly [K in keyof T]-?: Given<T[K]> }

/** A font of the device, or the brand's own with its files and licence. */
export type ResolvedFont =
  | { readonly kind: 'system' | 'rounded' | 'serif' | 'mono' }
  | {
      readonly kind: 'own'
      readonly family: string
      readonly files: readonly string[]
      readonly licence: string
    }

/** A brand with all layers merged and all defaults filled in. Null means absent. */
export type ResolvedBrand = {
  readonly schema: 1
  readonly id: string
  readonly environment: EnvironmentName
  readonly app: {
    readonly name: string
    readonly shortName: string
    readonly tagline: string | null
    readonly publisher: string | null
    readonly homepage: string | null
    readonly supportEmail: string | null
  }
  readonly token: {
    readonly hash: string
    /** Null: taken from the chain. */
    readonly ticker: string | null
    readonly decimals: number | null
    readonly display: { readonly symbol: string | null; readonly fractionMax: number | null }
  }
  readonly network: {
    readonly preset: PresetName
    readonly api: string
    readonly poa: readonly string[]
    readonly explorer: string | null
    readonly faucet: string | null
    /** Null: taken from the network. */
    readonly nativeToken: string | null
  }
  readonly referral: {
    readonly enabled: boolean
    readonly defaultAgent: Address | null
    readonly userCanChange: boolean
    /** Null: the place where the app was opened, or the homepage in packages. */
    readonly linkBase: string | null
  }
  readonly theme: {
    readonly primary: string
    readonly accent: string | null
    readonly success: string | null
    readonly warning: string | null
    readonly danger: string | null
    readonly dark: { readonly primary: string | null; readonly accent: string | null }
    readonly mode: Given<Theme['mode']>
    readonly radius: Given<Theme['radius']>
    readonly shape: Given<Theme['shape']>
    readonly density: Given<Theme['density']>
    readonly hero: Given<Theme['hero']>
    readonly ground: Given<Theme['ground']>
    readonly font: ResolvedFont
    readonly headings: ResolvedFont
    readonly contrast: Given<Theme['contrast']>
  }
  readonly assets: {
    readonly logo: string
    readonly logoDark: string | null
    readonly icon: string
    readonly mark: string | null
    readonly splashBackground: string
    readonly socialCard: string | null
    /** Drawings of the brand by their place; null means the neutral one. */
    readonly art: { readonly [Slot in ArtSlot]: string | null }
  }
  readonly links: {
    readonly terms: string | null
    readonly privacy: string | null
    readonly support: string | null
    readonly whitepaper: string | null
    readonly statusFeed: string | null
    readonly claim: string | null
    readonly signIn: readonly string[]
    readonly community: Given<Links['community']>
    readonly buy: Given<Links['buy']>
  }
  readonly legal: {
    readonly version: string | null
    readonly minimumAge: number | null
    /** Both texts in other languages, each filled with that of `links`. */
    readonly translations: readonly {
      readonly language: string
      readonly terms: string | null
      readonly privacy: string | null
    }[]
  }
  readonly features: Full<Features>
  readonly mining: Full<Mining>
  readonly security: Full<Security>
  readonly i18n: { readonly default: string; readonly enabled: readonly string[] }
  readonly pwa: Full<Pwa>
  readonly native: {
    readonly android: Full<Android> | null
    readonly ios: { readonly bundleId: string; readonly teamId: string | null } | null
  }
  readonly deepLink: { readonly scheme: string; readonly hosts: readonly string[] }
  readonly update: {
    readonly source: 'url' | 'none'
    readonly url: string | null
    readonly mode: 'prompt' | 'quiet'
  }
}

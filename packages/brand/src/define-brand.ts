import type { BrandBase } from './brand-base.ts'

/** Makes all members optional, at any depth. Lists stay whole, because in a brand they replace and never merge. */
export type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T

/** The part of a brand that environments may override. */
export type BrandLayer = Part<Omit<BrandBase, '$schema' | 'schema' | 'id'>>

/** Environment that a build is for. */
export type EnvironmentName = 'dev' | 'staging' | 'prod'

/** A brand file: one object, data only. Every member is documented with its default. */
export type Brand = BrandBase & {
  /** Overrides per environment: objects merge, lists replace. */
  readonly environments?: { readonly [Name in EnvironmentName]?: BrandLayer | undefined } | undefined
}

/**
 * Types a brand, so that editors complete and check it. Returns it unchanged; `hailstone-brand check` verifies what types
 * cannot.
 *
 * @example
 * export default defineBrand({
 *   schema: 1,
 *   id: 'acme',
 *   app: { name: 'Acme Mining' },
 *   token: { hash: '…64 hex digits…' },
 *   theme: { primary: '#3454d1' },
 *   assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
 * })
 */
export const defineBrand = (brand: Brand): Brand => brand

import type { BrandBase } from './brand-base.ts'

/** Any part of a type; lists stay whole, because in a brand they replace and never merge. */
export type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T

/** What may differ between environments. */
export type BrandLayer = Part<Omit<BrandBase, '$schema' | 'schema' | 'id'>>

export type EnvironmentName = 'dev' | 'staging' | 'prod'

/** What a partner writes: one object, data only. Every member has its documentation and its default. */
export type Brand = BrandBase & {
  /** What differs between environments: objects merge, lists replace. */
  readonly environments?: { readonly [Name in EnvironmentName]?: BrandLayer | undefined } | undefined
}

/**
 * Gives a brand its type, so that editors complete and check it. Returns it unchanged; `brand check` says
 * what a type cannot.
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

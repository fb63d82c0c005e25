import type { RuntimeBrand } from '@hailstone/brand/runtime'

export type Accepted = {
  /** Version that was accepted; null if the texts had none. */
  readonly version: string | null
  /** Language in which the texts were offered. */
  readonly language: string
  /** Unix milliseconds. */
  readonly atMs: number
}

/** Acceptances of the legal texts and a confirmed age, kept in this browser. */
export type Consent = {
  /** One for each version, newest last. None is removed, so that tabs with two builds of the app agree. */
  readonly terms: readonly Accepted[]
  /** Undefined if nobody asked. */
  readonly age: { readonly years: number; readonly atMs: number } | undefined
}

type Given = Consent | undefined

/** Parts of a brand that people are asked to accept. */
export type Legal = { readonly legal: Pick<RuntimeBrand['legal'], 'version' | 'minimumAge'> }

/** Returns the acceptances that the storage holds, newest last; none for an unknown form. */
export const acceptedTerms = (given: Given): readonly Accepted[] =>
  Array.isArray(given?.terms) ? given.terms.filter((one) => typeof one?.atMs === 'number') : []

/** True if this version of the legal texts was not accepted. */
export const isVersionDue = ({ legal }: Legal, given: Given): boolean =>
  legal.version !== null && acceptedTerms(given).every(({ version }) => version !== legal.version)

/** True if the age of the brand was not confirmed. */
export const isAgeDue = ({ legal }: Legal, given: Given): boolean =>
  legal.minimumAge !== null && !((given?.age?.years ?? 0) >= legal.minimumAge)

/** True if something has to be accepted before the app goes on. */
export const isConsentDue = (brand: Legal, given: Given): boolean =>
  isVersionDue(brand, given) || isAgeDue(brand, given)

/** True for places of the person's own: coins, rewards, key and settings. */
export const needsNoConsent = (path: string): boolean =>
  /^\/(?:wallet|tx|rewards|more|unlock)(?:\/|$)/.test(path)

/** Returns the addresses of the legal texts in a language. */
export const legalTexts = (
  { legal, links }: Pick<RuntimeBrand, 'legal' | 'links'>,
  language: string,
): { readonly terms: string | null; readonly privacy: string | null } =>
  legal.translations.find((one) => one.language === language) ?? links

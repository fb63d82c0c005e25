import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** Acceptance of the legal texts and of an age, kept in this browser. */
export type Consent = {
  /** Version that was accepted; null if the texts had none. */
  readonly version: string | null
  /** Age in years that was confirmed; 0 if nobody asked. */
  readonly age: number
  /** Unix milliseconds. */
  readonly atMs: number
}

type Given = Consent | undefined
type Legal = Pick<RuntimeBrand, 'legal'>

/** True if the legal texts have another version than the one that was accepted. */
export const isVersionDue = ({ legal }: Legal, given: Given): boolean =>
  legal.version !== null && legal.version !== given?.version

/** True if the age of the brand was not confirmed. */
export const isAgeDue = ({ legal }: Legal, given: Given): boolean =>
  legal.minimumAge !== null && !((given?.age ?? 0) >= legal.minimumAge)

/** True if something has to be accepted before the app goes on. */
export const isConsentDue = (brand: Legal, given: Given): boolean =>
  isVersionDue(brand, given) || isAgeDue(brand, given)

/** Returns the addresses of the legal texts in a language. */
export const legalTexts = (
  { legal, links }: Pick<RuntimeBrand, 'legal' | 'links'>,
  language: string,
): { readonly terms: string | null; readonly privacy: string | null } =>
  legal.translations.find((one) => one.language === language) ?? links

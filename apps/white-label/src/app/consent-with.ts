import { type Accepted, acceptedTerms, type Consent } from './consent.ts'

/** Returns what was given together with what is given now. What nobody was asked for stays as it was. */
export function consentWith(
  given: Consent | undefined,
  now: {
    readonly terms: Pick<Accepted, 'version' | 'language'> | undefined
    readonly years: number | undefined
    readonly atMs: number
  },
): Consent {
  const { terms, years, atMs } = now
  const known = acceptedTerms(given)
  return {
    terms: terms ? [...known.filter(({ version }) => version !== terms.version), { ...terms, atMs }] : known,
    age: years ? { years, atMs } : given?.age,
  }
}

import { describe, expect, it } from 'vitest'
import { acceptedTerms, isAgeDue, isConsentDue, isVersionDue, legalTexts } from './consent.ts'
import { consentWith } from './consent-with.ts'

const brandWith = (legal: { readonly version?: string; readonly minimumAge?: number }) => ({
  legal: { version: null, minimumAge: null, translations: [], ...legal },
})
const nothing = { terms: undefined, years: undefined, atMs: 1 }
const terms = (version: string | null) => ({ version, language: 'en' })
const accepted = (...versions: (string | null)[]) =>
  versions.reduce(
    (given, version, at) => consentWith(given, { ...nothing, terms: terms(version), atMs: at }),
    consentWith(undefined, nothing),
  )
const aged = (years: number) => consentWith(undefined, { ...nothing, years })

describe('consent', () => {
  it('is not due for a brand that asks for neither version nor age', () => {
    expect(isConsentDue(brandWith({}), undefined)).toBe(false)
    expect(isConsentDue(brandWith({}), accepted('old'))).toBe(false)
  })

  it('is due for each version that was not accepted', () => {
    const brand = brandWith({ version: '2' })
    expect(isVersionDue(brand, undefined)).toBe(true)
    expect(isVersionDue(brand, accepted(null))).toBe(true)
    expect(isVersionDue(brand, accepted('3'))).toBe(true)
    expect(isConsentDue(brand, accepted('2'))).toBe(false)
  })

  it('to one version leaves that to others: two builds that are open at once, and one that was taken back', () => {
    const both = accepted('1', '2')
    for (const version of ['1', '2']) expect(isVersionDue(brandWith({ version }), both), version).toBe(false)
    expect(isVersionDue(brandWith({}), both)).toBe(false)
  })

  it('is one entry for each version, the newest last', () => {
    const again = accepted('1', '2', '1')
    expect(acceptedTerms(again)).toEqual([
      { version: '2', language: 'en', atMs: 1 },
      { version: '1', language: 'en', atMs: 2 },
    ])
  })

  it('is due while a lower age was confirmed', () => {
    const brand = brandWith({ minimumAge: 18 })
    expect(isAgeDue(brand, aged(17))).toBe(true)
    expect(isAgeDue(brand, aged(18))).toBe(false)
    expect(isAgeDue(brand, aged(21))).toBe(false)
  })

  it('to an age says nothing about the terms, nor the other way round', () => {
    const first = consentWith(undefined, { ...nothing, terms: terms('1'), atMs: 5 })
    expect(first.age).toBeUndefined()
    const second = consentWith(first, { ...nothing, years: 18, atMs: 9 })
    expect(second).toEqual({
      terms: [{ version: '1', language: 'en', atMs: 5 }],
      age: { years: 18, atMs: 9 },
    })
    expect(consentWith(second, { ...nothing, terms: terms('2'), atMs: 11 }).age).toEqual(second.age)
    expect(acceptedTerms(aged(18))).toEqual([])
  })

  it('is due for whatever else a storage holds', () => {
    const brands = [brandWith({ version: '1' }), brandWith({ minimumAge: 18 })]
    const unknown = [
      null,
      'yes',
      { version: '1', age: 18, atMs: 1 },
      { terms: '1', age: 18 },
      { terms: [null, '1', {}, { version: '1' }], age: null },
      ...[Number.NaN, undefined, null, {}, 'old'].map((years) => ({ terms: {}, age: { years } })),
    ]
    for (const brand of brands)
      for (const given of unknown) {
        expect(isConsentDue(brand, given as never), JSON.stringify(given)).toBe(true)
        const now = { terms: terms('1'), years: 18, atMs: 1 }
        expect(isConsentDue(brand, consentWith(given as never, now)), JSON.stringify(given)).toBe(false)
      }
  })
})

it('the legal texts are those of the language, else those of the links', () => {
  const german = { language: 'de', terms: 'https://acme.example/agb', privacy: null }
  const links = { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' } as never
  const brand = { ...brandWith({}), legal: { ...brandWith({}).legal, translations: [german] }, links }
  expect(legalTexts(brand, 'de')).toBe(german)
  expect(legalTexts(brand, 'fr')).toBe(links)
})

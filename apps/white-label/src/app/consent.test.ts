import { describe, expect, it } from 'vitest'
import { isAgeDue, isConsentDue, isVersionDue, legalTexts } from './consent.ts'

const brandWith = (legal: { readonly version?: string; readonly minimumAge?: number }) => ({
  legal: { version: null, minimumAge: null, translations: [], ...legal },
})
const given = { version: null, age: 0, atMs: 1 }

describe('consent', () => {
  it('is not due for a brand that asks for neither version nor age', () => {
    expect(isConsentDue(brandWith({}), undefined)).toBe(false)
    expect(isConsentDue(brandWith({}), { ...given, version: 'old', age: 18 })).toBe(false)
  })

  it('is due for each version but the accepted one, older ones included', () => {
    const brand = brandWith({ version: '2' })
    expect(isVersionDue(brand, undefined)).toBe(true)
    expect(isVersionDue(brand, given)).toBe(true)
    expect(isVersionDue(brand, { ...given, version: '3' })).toBe(true)
    expect(isConsentDue(brand, { ...given, version: '2' })).toBe(false)
  })

  it('is due while a lower age was confirmed, and for what a storage holds instead of one', () => {
    const brand = brandWith({ minimumAge: 18 })
    expect(isAgeDue(brand, { ...given, age: 17 })).toBe(true)
    expect(isAgeDue(brand, { ...given, age: 18 })).toBe(false)
    expect(isAgeDue(brand, { ...given, age: 21 })).toBe(false)
    for (const age of [Number.NaN, undefined, null, {}, 'old'])
      expect(isConsentDue(brand, { ...given, age } as never), String(age)).toBe(true)
  })
})

it('the legal texts are those of the language, else those of the links', () => {
  const german = { language: 'de', terms: 'https://acme.example/agb', privacy: null }
  const links = { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' } as never
  const brand = { ...brandWith({}), legal: { ...brandWith({}).legal, translations: [german] }, links }
  expect(legalTexts(brand, 'de')).toBe(german)
  expect(legalTexts(brand, 'fr')).toBe(links)
})

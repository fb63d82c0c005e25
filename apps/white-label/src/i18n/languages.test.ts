import { describe, expect, it } from 'vitest'
import { firstLanguage, languageName } from './languages.ts'

const first = (wanted: readonly string[], enabled: readonly string[], chosen: string | null = null): string =>
  firstLanguage({ chosen, wanted, enabled, fallback: 'en' })

describe('the first language', () => {
  it.each([
    [['de-AT'], ['en', 'de'], 'de'],
    [['pt-BR'], ['en', 'pt', 'pt-BR'], 'pt-BR'],
    [['sr-Latn-RS'], ['en', 'sr-Latn'], 'sr-Latn'],
    [['zh-TW'], ['en', 'zh', 'zh-Hant'], 'zh-Hant'],
    [['zh-CN'], ['en', 'zh', 'zh-Hant'], 'zh'],
    [['nl', 'de'], ['en', 'de'], 'de'],
    [['c', 'not_a_tag'], ['en', 'de'], 'en'],
    [[], ['de'], 'en'],
  ])('is for %j of %j: %s', (wanted, enabled, found) => {
    expect(first(wanted, enabled)).toBe(found)
  })

  it('is the chosen one as long as the brand has it', () => {
    expect(first(['de'], ['en', 'de', 'he'], 'he')).toBe('he')
    expect(first(['de'], ['en', 'de'], 'he')).toBe('de')
  })
})

it('names languages in their own language', () => {
  expect(['de', 'he', 'nl', 'pt-BR'].map(languageName)).toEqual([
    'Deutsch',
    'עברית',
    'Nederlands',
    'Português (Brasil)',
  ])
})

import { expect, it } from 'vitest'
import { brandScreens } from './brand-screens.ts'

const titles = [
  { language: 'de', title: 'Neues' },
  { language: 'en', title: 'News' },
]
const i18n = { default: 'en', enabled: ['en', 'de', 'ar'], overridden: [] }
const titleFor = (language: string, given = titles): string | undefined =>
  brandScreens({ i18n, screens: [{ name: 'news', titles: given }] }, language)[0]?.title

it('finds each screen in the language of the person, else of the brand, else in any', () => {
  expect(titleFor('de')).toBe('Neues')
  expect(titleFor('ar')).toBe('News')
  expect(titleFor('ar', titles.slice(0, 1))).toBe('Neues')
  expect(titleFor('ar', [])).toBeUndefined()
})

import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brandableStrings, shippedLanguages } from '@hailstone/brand/check'
import { describe, expect, it } from 'vitest'
import english from './en.json' with { type: 'json' }
import { languageNames } from './languages.ts'

type Dictionary = Readonly<Record<string, string>>

const here = fileURLToPath(new URL('.', import.meta.url))
const dictionaryOf = async (language: string): Promise<Dictionary> =>
  JSON.parse(await readFile(`${here}${language}.json`, 'utf8')) as Dictionary

const plural = /_(zero|one|two|few|many|other)$/
const stemOf = (key: string): string => key.replace(plural, '')
const stems = new Set(Object.keys(english).map(stemOf))
const pluralStems = new Set(
  Object.keys(english)
    .filter((key) => plural.test(key))
    .map(stemOf),
)
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort()

/** Every key with the forms its language needs. */
const keysFor = (language: string): string[] =>
  [...stems]
    .flatMap((stem) =>
      pluralStems.has(stem)
        ? new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((form) => `${stem}_${form}`)
        : [stem],
    )
    .sort()

describe('the dictionaries', () => {
  it('are those of the brand schema', () => {
    expect(Object.keys(languageNames).sort()).toEqual([...shippedLanguages].sort())
  })

  it('hold every text that brands word their own way', () => {
    for (const [key, text] of Object.entries(brandableStrings)) {
      const own = (english as Dictionary)[key]
      expect(own, key).toBeDefined()
      expect(placeholders(own ?? ''), key).toEqual(placeholders(text))
    }
  })

  for (const language of shippedLanguages) {
    it(`miss nothing in ${language}, and nothing is left over`, async () => {
      const dictionary = await dictionaryOf(language)
      expect(Object.keys(dictionary).sort()).toEqual(keysFor(language))
    })

    it(`keep the names of all values in ${language}`, async () => {
      const dictionary = await dictionaryOf(language)
      for (const [key, text] of Object.entries(dictionary)) {
        const original = (english as Dictionary)[key] ?? (english as Dictionary)[`${stemOf(key)}_other`] ?? ''
        const needed = placeholders(original)
        // Forms for one exact number may write it as a word.
        const isExact = /_(zero|one|two)$/.test(key)
        const given = placeholders(text)
        expect(text.trim(), key).not.toBe('')
        expect(isExact ? [...new Set([...given, 'count'])].sort() : given, `${language} ${key}`).toEqual(
          isExact ? [...new Set([...needed, 'count'])].sort() : needed,
        )
      }
    })
  }

  it('are all used, and nothing else is asked for', async () => {
    const source = fileURLToPath(new URL('..', import.meta.url))
    const files = await readdir(source, { recursive: true })
    const texts = await Promise.all(
      files
        .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
        .map((path) => readFile(`${source}${path}`, 'utf8')),
    )
    const code = texts.join('\n')
    const families = ['network.state.', 'network.session.', 'health.verdict.', 'rewards.role.']
    const unused = [...stems].filter(
      (stem) => !code.includes(`'${stem}'`) && !families.some((family) => stem.startsWith(family)),
    )
    expect(unused).toEqual([])
  })
})

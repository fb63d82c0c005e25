import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brandableStrings, isEnglish, shippedLanguages } from '@hailstone/brand/check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dictionaryFolders, readDictionary, requireCompleteLanguages } from './complete-languages.ts'
import { type Dictionary, dictionaryFaults, stemOf } from './dictionary-faults.ts'
import english from './en.json' with { type: 'json' }
import { languageNames } from './languages.ts'
import englishLater from './later/en.json' with { type: 'json' }
import englishPayout from './payout/en.json' with { type: 'json' }
import englishService from './service/en.json' with { type: 'json' }

const here = fileURLToPath(new URL('.', import.meta.url))
const [, later = '', payout = '', service = ''] = dictionaryFolders
const original: Dictionary = english
const all: Dictionary = { ...englishService, ...englishPayout, ...englishLater, ...english }

describe('the dictionaries', () => {
  it('are those of the brand schema', () => {
    expect(Object.keys(languageNames).sort()).toEqual([...shippedLanguages].sort())
  })

  it('hold every text that brands word their own way', () => {
    const brandable = Object.fromEntries(
      Object.keys(brandableStrings).map((key) => [key, original[key] ?? '']),
    )
    expect(dictionaryFaults('en', { dictionary: brandable, original: brandableStrings })).toEqual([])
  })

  for (const language of shippedLanguages) {
    it(`miss nothing in ${language}, keep the names of all values, and nothing is left over`, async () => {
      const dictionary = await readDictionary(language)
      expect(dictionaryFaults(language, { dictionary, original })).toEqual([])
      const ofViews = await readDictionary(language, later)
      expect(dictionaryFaults(language, { dictionary: ofViews, original: englishLater })).toEqual([])
      const ofPayout = await readDictionary(language, payout)
      expect(dictionaryFaults(language, { dictionary: ofPayout, original: englishPayout })).toEqual([])
      const ofService = await readDictionary(language, service)
      expect(dictionaryFaults(language, { dictionary: ofService, original: englishService })).toEqual([])
    })
  }

  it('are translated: hardly a sentence is the English one', async () => {
    for (const language of shippedLanguages.filter((tag) => tag !== 'en')) {
      const texts = {
        ...(await readDictionary(language)),
        ...(await readDictionary(language, later)),
        ...(await readDictionary(language, payout)),
        ...(await readDictionary(language, service)),
      }
      const same = Object.entries(texts).filter(([key, text]) => isEnglish(text, all[key], language))
      expect(same, language).toEqual([])
    }
  })

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
    const stems = new Set(Object.keys(all).map(stemOf))
    const unused = [...stems].filter(
      (stem) => !code.includes(`'${stem}'`) && !families.some((family) => stem.startsWith(family)),
    )
    expect(unused).toEqual([])
  })
})

describe('a build', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dictionaries-'))
    await cp(here, folder, { recursive: true, filter: (path) => !path.endsWith('.ts') })
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function spoil(
    language: string,
    change: (dictionary: Record<string, string>) => void,
  ): Promise<void> {
    const dictionary = { ...(await readDictionary(language, folder)) }
    change(dictionary)
    await writeFile(join(folder, `${language}.json`), JSON.stringify(dictionary))
  }

  it('is refused while a text, a plural form, a value or a whole language is missing', async () => {
    await expect(requireCompleteLanguages(folder)).resolves.toBeUndefined()
    await spoil('ru', (texts) => {
      delete texts['rewards.count_few']
      texts['tabs.mine'] = ' '
      texts['tabs.mines'] = 'лишнее'
      texts['common.asOf'] = 'На'
    })
    const faults = await requireCompleteLanguages(folder).then(
      () => '',
      ({ message }: Error) => message,
    )
    expect(faults.split('\n').slice(1)).toEqual([
      'ru: rewards.count_few is missing',
      'ru: tabs.mines is not a key of the app',
      'ru: common.asOf names nothing instead of time',
      'ru: tabs.mine is empty',
    ])
    await rm(join(folder, 'ko.json'))
    await expect(requireCompleteLanguages(folder)).rejects.toThrow('There is no dictionary for ko')
  })

  it('asks for the forms of each language: six in Arabic, four in Russian, one in Japanese', async () => {
    for (const [language, count] of [
      ['ar', 6],
      ['ru', 4],
      ['ja', 1],
    ] as const) {
      const forms = Object.keys(await readDictionary(language)).filter(
        (key) => stemOf(key) === 'rewards.count',
      )
      expect(forms).toHaveLength(count)
    }
  })
})

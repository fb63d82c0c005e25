import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { shippedLanguages } from '@hailstone/brand/check'
import { describe, expect, it } from 'vitest'
import { readDictionary, requireCompleteLanguages } from '../i18n/complete-languages.ts'
import english from './i18n/en.json' with { type: 'json' }

const folder = fileURLToPath(new URL('.', import.meta.url))
const dictionaries = `${folder}i18n`

/** Loanwords, which are the same in some languages. */
const loanwords = [
  'Logo (SVG or PNG)',
  'Invitations',
  'Links',
  'Mining',
  'Name',
  'Token',
  'Wallet',
  'Token (64 characters)',
  'Mode',
  'Offline',
  'Id',
]

describe('the words of the page for partners', () => {
  it('are there in every language of the app', async () => {
    await expect(requireCompleteLanguages(dictionaries)).resolves.toBeUndefined()
    const files = (await readdir(dictionaries)).map((file) => file.replace('.json', ''))
    expect(files.sort()).toEqual([...shippedLanguages].sort())
  })

  it('are translated', async () => {
    for (const language of shippedLanguages.filter((tag) => tag !== 'en')) {
      const words: Readonly<Record<string, string>> = await readDictionary(language, dictionaries)
      const same = Object.entries(english).filter(
        ([key, text]) => words[key] === text && !loanwords.includes(text),
      )
      expect(same, language).toEqual([])
    }
  })

  it('are all used', async () => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    const code = (await Promise.all(files.map((name) => readFile(`${folder}${name}`, 'utf8')))).join('\n')
    const families = ['kind.', 'part.', 'verdict.', 'mode.', 'field.']
    expect(
      Object.keys(english).filter(
        (key) => !code.includes(`'${key}'`) && !families.some((family) => key.startsWith(family)),
      ),
    ).toEqual([])
  })
})

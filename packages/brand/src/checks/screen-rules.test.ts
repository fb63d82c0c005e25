import { describe, expect, it } from 'vitest'
import { brandWith, bytesOf, goodFiles, goodSource } from '../../test/good-brand.ts'
import { runtimeBrand } from '../generators/runtime-brand.ts'
import { listedScreens } from '../generators/screens.ts'
import { textFiles } from '../generators/text-files.ts'
import { readRuntimeBrand } from '../runtime/read-runtime-brand.ts'
import { readScreen } from '../runtime/read-screen.ts'
import { checkBrand } from './check-brand.ts'

const NEWS = '# News\n\nMining begins in May.'
const languages = brandWith('i18n', { default: 'en', enabled: ['en', 'ar'] })

const filesOf = (screens: Readonly<Record<string, string>>) =>
  new Map([
    ...goodFiles,
    ...Object.entries(screens).map(([name, text]) => [`screens/${name}`, bytesOf(text)] as const),
  ])
const report = (screens: Readonly<Record<string, string>>, config: unknown = languages) =>
  checkBrand({ source: { ...goodSource, config, files: filesOf(screens) } })
const summary = (screens: Readonly<Record<string, string>>) =>
  report(screens).findings.map(({ severity, name, path }) => `${severity} ${name} ${path}`)

describe('the screens of a brand', () => {
  it('have no finding where each is complete', () => {
    expect(
      summary({
        'news.en.md': NEWS,
        'news.ar.md': '# أخبار\n\nيبدأ التعدين في مايو.',
        '2-questions.en.md':
          '# Questions\n\n## Why?\n\nSee [the page](https://acme.example/why?a=1#b).\n\n- **a**\n- b',
      }),
    ).toEqual([])
  })

  it.each([
    [{ 'News.en.md': NEWS }, ['error screen-name-malformed screens/News.en.md']],
    [{ 'news.md': NEWS }, ['error screen-name-malformed screens/news.md']],
    [{ 'more/news.en.md': NEWS }, ['error screen-name-malformed screens/more/news.en.md']],
    [{ 'news.ar.md': NEWS }, ['error screen-default-missing screens/news.en.md']],
    [{ 'news.en.md': NEWS, 'news.de.md': NEWS }, ['warning language-file-unused screens/news.de.md']],
    [{ 'news.en.md': 'Mining begins.' }, ['error screen-title-missing screens/news.en.md:1']],
    [{ 'news.en.md': '# News' }, ['error text-empty screens/news.en.md']],
    [{ 'news.en.md': `# ${'News'.repeat(11)}\n\na` }, ['error text-too-long screens/news.en.md:1']],
    [{ 'news.en.md': `${NEWS}${' a'.repeat(20_000)}` }, ['error screen-too-large screens/news.en.md']],
    // Each style of a word is data of its own: 48 characters of it for 4 of Markdown.
    [{ 'news.en.md': `${NEWS}\n\n${'*a*b'.repeat(9_000)}` }, ['error screen-too-large screens/news.en.md']],
    [
      { 'news.en.md': `${NEWS}\n\n[](https://acme.example)` },
      ['error screen-form-refused screens/news.en.md:5'],
    ],
    [{ 'news.en.md': `${NEWS}\n\n> a` }, ['error screen-form-refused screens/news.en.md:5']],
    [{ 'news.en.md': `${NEWS}\n\n[a](http://acme.example)` }, ['error scheme-insecure screens/news.en.md:5']],
    [{ 'news.en.md': `${NEWS}\n\n[a](https://localhost/)` }, ['error host-private screens/news.en.md:5']],
    [
      { 'news.en.md': `${NEWS}\n\n[a](javascript:alert(1))` },
      ['error scheme-refused screens/news.en.md:5', 'error text-has-script-url screens/news.en.md:5'],
    ],
    [
      { 'news.en.md': `${NEWS}\n\n<script>alert(1)</script>` },
      ['error screen-form-refused screens/news.en.md:5', 'error text-has-markup screens/news.en.md:5'],
    ],
    [{ 'news.en.md': `${NEWS}\n\nа\u202eb` }, ['error text-has-control-characters screens/news.en.md:5']],
    [{ 'news.en.md': `${NEWS}\n\n${'1f'.repeat(32)}` }, ['error secret-in-file screens/news.en.md:5']],
  ])('are refused with the place: %.60j', (screens, found) => {
    expect(summary(screens)).toEqual(found)
  })

  it('are read by the app where the check has no finding, a long one full of emphasis included', () => {
    const screens = { 'news.en.md': `# News\n\n${'*a* b '.repeat(5_500)}` }
    const { brand, findings } = report(screens)
    expect(findings).toEqual([])
    const made = brand && textFiles(brand, filesOf(screens)).get('brand/screens/news.en.json')
    expect(readScreen(new TextDecoder().decode(made ?? undefined))?.title).toBe('News')
  })

  it('are at most twelve, each of readable text', () => {
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`n${index}.en.md`, NEWS]))
    expect(summary(many)).toEqual(['error screens-too-many screens/'])
    const files = new Map([...goodFiles, ['screens/news.en.md', new Uint8Array([0x23, 0x20, 0x4e, 0xe4])]])
    const { findings } = checkBrand({ source: { ...goodSource, files } })
    expect(findings.map(({ name, found }) => [name, found])).toEqual([
      ['screen-form-refused', 'bytes that are not UTF-8'],
    ])
  })

  it('propose the language that was meant', () => {
    const [unused] = report({ 'news.en.md': NEWS, 'news.dee.md': NEWS }).findings
    expect(unused?.fix).toBe('Did you mean "de"?')
  })

  it('are built as data in the languages of the brand, and listed with their titles in the order of their names', () => {
    const screens = {
      'questions.en.md': '# Questions\n\n<script>alert(1)</script>\n\n[a](javascript:alert(2))',
      '1-news.ar.md': '# أخبار\n\nيبدأ',
      '1-news.en.md': NEWS,
      '1-news.de.md': '# Neues\n\na',
    }
    const { brand } = report(screens)
    if (brand === null) throw new Error('The brand is not resolved.')
    const listed = readRuntimeBrand(JSON.stringify(runtimeBrand(brand, filesOf(screens)))).screens
    expect(listed).toEqual([
      {
        name: '1-news',
        titles: [
          { language: 'ar', title: 'أخبار' },
          { language: 'en', title: 'News' },
        ],
      },
      { name: 'questions', titles: [{ language: 'en', title: 'Questions' }] },
    ])
    const inGerman = { ...brand, i18n: { default: 'de', enabled: ['de'] } }
    expect(listedScreens(inGerman, filesOf(screens)).map(({ titles }) => titles)).toEqual([
      [{ language: 'de', title: 'Neues' }],
      [{ language: 'en', title: 'Questions' }],
    ])
    const made = textFiles(brand, filesOf(screens))
    const built = [...made.keys()].filter((path) => path.startsWith('brand/screens/'))
    expect(built).toEqual([
      'brand/screens/1-news.ar.json',
      'brand/screens/1-news.en.json',
      'brand/screens/questions.en.json',
    ])
    expect(JSON.parse(new TextDecoder().decode(made.get('brand/screens/questions.en.json')))).toEqual({
      title: 'Questions',
      blocks: [
        { kind: 'paragraph', text: [{ text: '<script>alert(1)</script>' }] },
        { kind: 'paragraph', text: [{ text: '[a](javascript:alert(2))' }] },
      ],
    })
  })
})

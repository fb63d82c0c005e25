import { describe, expect, it } from 'vitest'
import { readScreen } from '../runtime/read-screen.ts'
import { blockText, readScreenText } from './read-screen-text.ts'

const paragraphOf = (source: string) => readScreenText(`# T\n\n${source}`).blocks[0]
const formsOf = (source: string) =>
  readScreenText(`# T\n\n${source}`)
    .faults.filter(({ kind }) => kind === 'form')
    .map(({ line, found }) => `${line} ${found}`)

describe('readScreenText', () => {
  it('reads headings, paragraphs, lists, emphasis and links as plain data', () => {
    const source =
      '# News\r\n\r\n## May\r\n\r\nOne **two *three*** [four](https://a.example/x)\r\ngo on  \r\nnext\r\n\r\n' +
      '- a\r\n- b *c*\r\n\r\n3. d\r\n4. e\r\n\r\n### Late\r\n'
    const { title, blocks, lines, faults } = readScreenText(source)
    expect(title).toBe('News')
    expect(blocks).toEqual([
      { kind: 'heading', level: 2, text: [{ text: 'May' }] },
      {
        kind: 'paragraph',
        text: [
          { text: 'One ' },
          { text: 'two ', isStrong: true },
          { text: 'three', isStrong: true, isEmphasised: true },
          { text: ' ' },
          { text: 'four', href: 'https://a.example/x' },
          { text: ' go on\nnext' },
        ],
      },
      {
        kind: 'list',
        first: null,
        items: [[{ text: 'a' }], [{ text: 'b ' }, { text: 'c', isEmphasised: true }]],
      },
      { kind: 'list', first: 3, items: [[{ text: 'd' }], [{ text: 'e' }]] },
      { kind: 'heading', level: 3, text: [{ text: 'Late' }] },
    ])
    expect(lines).toEqual([3, 5, 9, 12, 15])
    expect(faults).toEqual([{ line: 5, kind: 'link', found: 'https://a.example/x' }])
    expect(readScreen(JSON.stringify({ title, blocks }))).toEqual({ title, blocks })
  })

  it('resolves links by reference, and links written out', () => {
    expect(paragraphOf('[a][1] https://b.example\n\n[1]: https://a.example')).toEqual({
      kind: 'paragraph',
      text: [
        { text: 'a', href: 'https://a.example' },
        { text: ' ' },
        { text: 'https://b.example', href: 'https://b.example' },
      ],
    })
    expect(paragraphOf('Write to help@acme.example.')).toEqual({
      kind: 'paragraph',
      text: [{ text: 'Write to help@acme.example.' }],
    })
  })

  it.each([
    ['<script>alert(1)</script>', 'HTML'],
    ['a <b>c</b>', 'HTML'],
    ['![x](https://a.example/x.png)', 'a picture'],
    ['a `b`', 'code'],
    ['```\na\n```', 'a block of code'],
    ['> a', 'a quotation'],
    ['| a | b |\n|---|---|\n| c | d |', 'a table'],
    ['a\n\n---\n\nb', 'a line across the page'],
    ['~~a~~', 'struck text'],
    ['- a\n  - b', 'a list in a list'],
    ['- [ ] a', 'a box to tick in a list'],
    ['[](https://a.example/words)', 'a link without words'],
    ['# B', 'a second heading of the first level'],
    ['### B', 'a heading of level 3 before one of level 2'],
    ['## A\n\n#### B', 'a heading of level 4'],
  ])('names what a screen does not show, and keeps its text: %j', (source, found) => {
    expect(formsOf(source)[0]).toMatch(new RegExp(`^\\d+ ${found}$`))
    const { title, blocks } = readScreenText(`# T\n\n${source}`)
    expect(readScreen(JSON.stringify({ title, blocks }))).not.toBeNull()
    for (const word of source.match(/[a-z]{5,}|\b[A-Z]\b/g) ?? [])
      expect(blocks.map(blockText).join(' ')).toContain(word)
  })

  it.each([
    'javascript:alert(1)',
    'http://a.example',
    'data:text/html,a',
    '//a.example',
    '/more',
    'https://a:b@c.example',
  ])('links nowhere but to https pages: %s is text', (href) => {
    const { blocks, faults } = readScreenText(`# T\n\n[a](${href})`)
    expect(blocks).toEqual([{ kind: 'paragraph', text: [{ text: `[a](${href})` }] }])
    expect(faults).toEqual([{ line: 3, kind: 'link', found: href }])
  })

  it('has no title without a heading of the first level at the beginning', () => {
    expect(readScreenText('text\n\n# T').title).toBeNull()
    expect(readScreenText('## T').title).toBeNull()
    expect(readScreenText('')).toEqual({ title: null, blocks: [], lines: [], faults: [] })
  })
})

import { describe, expect, it } from 'vitest'
import { readScreen } from './read-screen.ts'

const screenOf = (span: object) =>
  JSON.stringify({ title: 'T', blocks: [{ kind: 'paragraph', text: [span] }] })

describe('readScreen', () => {
  it('reads what a build writes', () => {
    expect(
      readScreen(screenOf({ text: 'a <b>\n', isStrong: true, href: 'https://a.example/' })),
    ).not.toBeNull()
  })

  it.each([
    [{ text: 'a', href: 'javascript:alert(1)' }],
    [{ text: 'a', href: 'http://a.example/' }],
    [{ text: 'a', href: 'https://a:b@c.example/' }],
    [{ text: 'a', href: 'https://a.example/"x' }],
    [{ text: 'a', href: '/more' }],
    [{ text: 'a\u202eb' }],
    [{ text: 'a\u0000' }],
    [{ text: 1 }],
    [{ text: 'a', isStrong: 'yes' }],
    [{ text: 'a', dangerouslySetInnerHTML: { __html: 'b' } }],
    [{ href: 'https://a.example/' }],
    [null],
  ])('refuses a span that no build writes: %j', (span) => {
    expect(
      readScreen(JSON.stringify({ title: 'T', blocks: [{ kind: 'paragraph', text: [span] }] })),
    ).toBeNull()
  })

  it.each([
    '',
    '[]',
    '{}',
    '{"title":"T"}',
    '{"title":"a\\u202eb","blocks":[]}',
    '{"title":"T","blocks":[{"kind":"html","text":[]}]}',
    '{"title":"T","blocks":[{"kind":"heading","level":1,"text":[]}]}',
    '{"title":"T","blocks":[{"kind":"list","first":"1","items":[]}]}',
    '{"title":"T","blocks":[{"kind":"list","first":null,"items":[{"text":"a"}]}]}',
    `{"title":"T","blocks":[],"rest":"${'a'.repeat(400_000)}"}`,
  ])('refuses another file: %.60s', (text) => {
    expect(readScreen(text)).toBeNull()
  })
})

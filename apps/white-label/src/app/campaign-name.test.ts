import { expect, it } from 'vitest'
import { campaignLink, campaignName } from './campaign-name.ts'

const LINK = 'https://tidewater.example/i/ref_0a'

it.each([
  'spring-2026',
  'Frühlings_fest',
  'весна',
  'वसंतमेला',
  '春祭り',
  'الربيع',
  '봄',
  '__proto__',
  'constructor',
])('%s is a name, and comes back from its link', (name) => {
  expect(campaignName(name)).toBe(name)
  // Some programs end a link at the first letter that is not ASCII.
  expect(campaignLink(LINK, name)).toMatch(/^[!-~]+$/)
  expect(new URLSearchParams(new URL(campaignLink(LINK, name)).hash.slice(1)).get('c')).toBe(name)
})

it.each(['', 'a b', 'a+b', 'a/b', 'a'.repeat(21), '<b>', '{{name}}', '́a', '🌱', `a${'́'.repeat(40)}`, null])(
  '%j is not a name',
  (text) => {
    expect(campaignName(text)).toBeNull()
  },
)

it('letters count with their marks, and both ways to write one are the same name', () => {
  const hindi = 'कि'.repeat(20)
  expect(campaignName(hindi)).toBe(hindi)
  expect(campaignName('cafe\u0301')).toBe('caf\u00e9')
})

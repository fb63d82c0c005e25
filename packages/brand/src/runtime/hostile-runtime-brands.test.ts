import { isNodeError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { goodSource } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { runtimeBrand } from '../generators/runtime-brand.ts'
import { readRuntimeBrand } from './read-runtime-brand.ts'

const { brand } = checkBrand({ source: goodSource })
if (brand === null) throw new Error('the good brand is good')
const good = JSON.stringify(runtimeBrand(brand, goodSource.files))

const hex = 'ab'.repeat(32)
const texts: readonly unknown[] = [
  '<script>alert(1)</script>',
  '<!-- x',
  'javascript:alert(1)',
  'x} y{',
  'a\u202eb',
  'a\u0000b',
  '',
  7,
]
const links: readonly unknown[] = [
  'javascript:alert(1)',
  'data:text/html,hi',
  'file:///etc/passwd',
  'blob:https://acme.example/x',
  'https:acme.example',
  'https:\\\\acme.example',
  'https://me:secret@acme.example/',
  'https://acme.example/"onclick="x',
  'https://acme.example/\nx',
  ' https://acme.example/',
  '//acme.example/',
]
const sockets: readonly unknown[] = [
  'https://gate.acme.example',
  'wss:gate',
  'wss://a:b@gate.acme.example',
  '',
]
const colours: readonly unknown[] = [
  'red',
  '#fff',
  '#ffffff;}',
  'url(//evil.example)',
  'var(--x)',
  '#ffffff80',
]
const files: readonly unknown[] = [
  '../x.svg',
  '/etc/passwd',
  'https://evil.example/a.svg',
  'a//b.svg',
  'a/../b.svg',
  'logo.svg?x',
  'logo.svg#x',
  'logo',
  'a\\b.svg',
]

const at = (path: string, values: readonly unknown[]) => values.map((value) => ({ path, value }))
const hostile = [
  ...at('app.name', texts),
  ...at('app.tagline', texts),
  ...at('app.supportEmail', [
    'a@acme.example?bcc=x',
    'a?bcc=x@acme.example',
    'a b@acme.example',
    '<a@b.example>',
  ]),
  ...at('app.homepage', links),
  ...at('links.terms', links),
  ...at('links.claim', links),
  ...at(
    'links.signIn',
    links.map((link) => [link]),
  ),
  ...at('legal.version', texts),
  ...at('legal.minimumAge', [0, 100, 17.5, '18']),
  ...at('legal.translations', [
    ...links.map((terms) => [{ language: 'de', terms, privacy: null }]),
    [{ language: '../de', terms: null, privacy: null }],
  ]),
  ...at('network.api', links),
  ...at('network.poa', [...sockets.map((socket) => [socket]), 'wss://gate.acme.example', null]),
  ...at('theme.light.primary', colours),
  ...at('theme.radius.small', [-1, 1000, 0.5, '4px', '4px;}']),
  ...at('theme.font.family', ['A";}', 'A;b', "A'", 'url(x)', '']),
  ...at('theme.font.files', [['https://evil.example/a.woff2'], ['../a.woff2']]),
  ...at('theme.headings.family', ['A";}', 'url(x)']),
  ...at('theme.ground', ['url(x)', '']),
  ...at('assets.logo', files),
  ...at('assets.art.welcome', files),
  ...at('token.hash', ['', hex.toUpperCase(), hex.slice(1), `${hex}\n`]),
  ...at('token.ticker', ['<B>', 'acme', 'TOOLONGTICKER']),
  ...at('token.decimals', [-1, 11, 0.5, '8']),
  ...at('referral.defaultAgent', ['02', `05${'0'.repeat(64)}`, `ref_${hex}`]),
  ...at('deepLink.scheme', ['1x', 'java script', 'JavaScript']),
  ...at('deepLink.hosts', [['a b'], ['a/b'], ['a"b']]),
  ...at('i18n.default', ['../en', 'e', 'en_US.js']),
  ...at('mining.minBattery', [-1, 91, '20']),
  ...at('security.lock', ['never', '', null]),
  ...at('schema', [2, '1', null]),
  ...at('environment', ['production', null]),
  ...at('evil', [true]),
  ...at('app.evil', [true]),
  ...at('features.evil', [true]),
]

/** Returns the JSON of the good brand with one value replaced or added. */
function changed(path: string, value: unknown): string {
  const copy = JSON.parse(good) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop() ?? ''
  const place = names.reduce((inner, name) => inner[name] as Record<string, unknown>, copy)
  place[last] = value
  return JSON.stringify(copy)
}

it('S-12, A-16: the built brand that the hostile ones are made of is read', () => {
  expect(readRuntimeBrand(good).id).toBe('acme')
  expect(readRuntimeBrand(changed('app.name', '50 % > 3:1 & more')).app.name).toBe('50 % > 3:1 & more')
  expect(hostile.length).toBeGreaterThanOrEqual(60)
})

it.each(hostile)('S-12: a brand.json with $value as $path is refused at load', ({ path, value }) => {
  let refusal: unknown
  try {
    readRuntimeBrand(changed(path, value))
  } catch (error) {
    refusal = error
  }
  expect(isNodeError(refusal, 'CONFIGURATION_INVALID')).toBe(true)
  expect((refusal as { readonly facts: { readonly path: string } }).facts.path).toContain('brand.json')
})

import { describe, expect, it } from 'vitest'
import { chance } from '../../../local-network/test/fuzz/random.ts'
import { sheetFault, styleFault, valueFault } from './svg-grammar.ts'

const pieces = [
  ...'\\/*(){}"\'#;:,@!-.% \n\t<>=&',
  'url',
  'URL(',
  'url(#a)',
  'url("#a")',
  '\\75rl(',
  'image-set(',
  'src(',
  'rgb(1,2,3)',
  'rotate(45)',
  'fill',
  'fill:',
  'red',
  '.a{',
  '/*',
  '*/',
  '//evil.example/x',
  '12px',
  '-.5',
  '1e-5',
  '@import',
  'expression(',
  '!important',
  'é',
  '\u0000',
]
const loads = /\\|@|\/\*/

/** Removes comments and strings as CSS reads them, from left to right. */
const bareOf = (text: string): string =>
  text.replace(/"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith('/') ? ' ' : found))

const functionsOf = (text: string): readonly string[] =>
  [...text.matchAll(/([\w-]*)\(\s*([^)]*)/g)].map(([, name = '', argument = '']) =>
    name.toLowerCase() === 'url' ? `url ${/^["']?#[\w.-]+["']?\s*$/.test(argument)}` : name.toLowerCase(),
  )

describe.each([
  ['values', valueFault],
  ['styles', styleFault],
  ['sheets', sheetFault],
] as const)('S-12, A-16: of 100,000 random %s', (_, faultOf) => {
  it('none passes that could load something', () => {
    const luck = chance(12)
    const passed = new Set<string>()
    for (let turn = 0; turn < 100_000; turn++) {
      const text = Array.from({ length: 1 + luck.below(6) }, () => luck.pick(pieces)).join('')
      if (faultOf(text) === null) passed.add(text)
    }
    expect(passed.size).toBeGreaterThan(20)
    for (const text of [...passed].map(bareOf)) {
      expect(text).not.toMatch(loads)
      for (const name of functionsOf(text)) expect(['url true', 'rgb', 'rotate']).toContain(name)
    }
  })
})

describe('what drawing programs write passes', () => {
  it.each([
    'M10.5.5l-1-1C1e-5,2 3-4.5.25,6z',
    'matrix(1 0 0 1 -12.5 .5)',
    'translate(1,2) rotate(45 32 32)',
    'rgba(1, 2, 3, 50%)',
    'hsl(120 50% 50% / .5)',
    'color(display-p3 1 .5 0)',
    'url(#a)',
    "url( '#a-b.c' )",
    'url("#a")',
    'none',
    'new 0 0 20 20',
    "'Open Sans', sans-serif",
    'text/css',
    '#1d7a46',
    'xMidYMid meet',
    '',
  ])('as a value: %s', (value) => expect(valueFault(value)).toBeNull())

  it.each([
    'fill:#fff;stroke-width:.5px',
    ' fill : url(#a) ; ; opacity:.5 !important;',
    'fill:#f00;fill:color(display-p3 1 0 0);fill-opacity:1',
    'enable-background:new 0 0 24 24;',
    '/* layer */ fill:red',
    'mix-blend-mode:multiply',
  ])('as a style: %s', (style) => expect(styleFault(style)).toBeNull())

  it.each([
    '.st0{fill:#FFFFFF;}\n\t.st1{fill:none;stroke:#000;}',
    '.cls-1,.cls-2{fill:url(#linear-gradient)}.cls-2{isolation:isolate}',
    '/* one */ path:hover > g.a /* two */ { fill : red } /* three */',
    '#a * {opacity:0}',
    '',
  ])('as a sheet: %s', (sheet) => expect(sheetFault(sheet)).toBeNull())
})

it('reads a path of 200,000 characters in one go', () => {
  expect(valueFault('l1-1'.repeat(50_000))).toBeNull()
  expect(valueFault(`${'l1-1'.repeat(50_000)}(`)).not.toBeNull()
})

describe('S-12: a million characters that end too early', () => {
  // A grammar that reads a character twice needs hours for these, and seconds for 80,000 blanks in a function.
  const size = 1_000_000
  const blanks = ' '.repeat(size)

  it.each([
    ['blanks in a function', `rgb(${blanks}`],
    ['numbers in a function', `cubic-bezier(${' 1'.repeat(size / 2)}`],
    ['blanks in an address', `url(${blanks}`],
    ['blanks behind a name', `url(#a${blanks}`],
    ['a long name', `url(#${'a'.repeat(size)}`],
    ['functions in functions', 'rgb('.repeat(size / 4)],
    ['a word before a bracket', `${'a-'.repeat(size / 2)}(`],
    ['an open string', `"${blanks}`],
    ['blanks before a word', `!${blanks}`],
  ])('are refused: %s', (_, text) => {
    expect(valueFault(text)).toBe(text.slice(0, 40))
    expect(styleFault(`fill:${text}`)).not.toBeNull()
    expect(sheetFault(`a{fill:${text}}`)).not.toBeNull()
  })

  it.each([
    ['comments without an end', '/* a'.repeat(size / 4)],
    ['stars', `/*${'*'.repeat(size)}`],
    ['rules without an end', 'a{'.repeat(size / 2)],
    ['selectors without a rule', 'a '.repeat(size / 2)],
  ])('are refused in a sheet: %s', (_, text) => expect(sheetFault(text)).not.toBeNull())

  it('are accepted where they end', () => {
    expect(valueFault(`rgb(${blanks}1,2,3${blanks})`)).toBeNull()
    expect(sheetFault(`/*${blanks}*/a{fill:red}/**/b{fill:url( "#a" )}`)).toBeNull()
  })
})

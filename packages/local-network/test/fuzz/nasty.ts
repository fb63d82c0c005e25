import type { Chance } from './random.ts'

/** Texts that have broken somebody's server before. */
const TEXTS = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '00',
  '1.5',
  '1e3',
  '1e309',
  '0x10',
  '+5',
  'NaN',
  'Infinity',
  '9007199254740993',
  '18446744073709551616',
  '999999999999999999999999999999',
  '2147483648',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' or 1=1 --",
  '"; drop table token; --',
  '$1',
  '%s%n',
  '\\',
  '\u0000',
  'a\u0000b',
  '\ud7ff\ue000',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  '\u202e\u200b',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '{}',
  '[]',
  'DEVGENESIS',
  'devgenesis',
  'minable',
  'from',
]

const FLIPS = ['', '0', 'g', '%', ' ', '\u0000', 'é', '-', "'", '\n']

function mutated(chance: Chance, text: string): string {
  const at = chance.below(text.length + 1)
  switch (chance.below(6)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + chance.pick(FLIPS) + text.slice(at + 1)
    case 2:
      return text.toUpperCase()
    case 3:
      return text + text.slice(0, at)
    case 4:
      return chance.pick(FLIPS) + text
    default:
      return text.slice(at) + text.slice(0, at)
  }
}

const randomText = (chance: Chance): string =>
  Array.from({ length: chance.below(40) }, () => String.fromCodePoint(chance.below(0xd800))).join('')

/** A text that may be right, nearly right, or nothing of the kind. */
export function nastyText(chance: Chance, right: readonly string[]): string {
  switch (chance.below(5)) {
    case 0:
      return chance.pick(right)
    case 1:
      return mutated(chance, chance.pick(right))
    case 2:
      return chance.isLucky(0.02) ? 'a'.repeat(chance.below(8000)) : randomText(chance)
    default:
      return chance.pick(TEXTS)
  }
}

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  Number.MAX_VALUE,
  [],
  {},
  [[]],
  [null],
  '',
]

function nastyObject(chance: Chance, depth: number): unknown {
  const entries = Array.from({ length: chance.below(4) }, () => [
    chance.pick(['a', '__proto__', 'length', 'data', '0', 'toJSON']),
    nastyValue(chance, depth + 1),
  ])
  return Object.fromEntries(entries)
}

export function nastyValue(chance: Chance, depth = 0): unknown {
  if (depth > 3) return chance.pick(VALUES)
  switch (chance.below(4)) {
    case 0:
      return nastyText(chance, ['0'])
    case 1:
      return nastyObject(chance, depth)
    case 2:
      return Array.from({ length: chance.below(3) }, () => nastyValue(chance, depth + 1))
    default:
      return chance.pick(VALUES)
  }
}

/** The value with some of its parts left out, doubled, or replaced. */
export function nastyCopy(chance: Chance, value: unknown): unknown {
  if (chance.isLucky(0.1)) return nastyValue(chance)
  if (Array.isArray(value)) {
    const copy = value.map((item) => nastyCopy(chance, item))
    return chance.isLucky(0.1) ? [...copy, ...copy] : copy
  }
  if (typeof value === 'string') return chance.isLucky(0.2) ? nastyText(chance, [value]) : value
  if (typeof value !== 'object' || value === null) return chance.isLucky(0.2) ? nastyValue(chance) : value
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => !chance.isLucky(0.05))
      .map(([name, member]) => [
        chance.isLucky(0.03) ? nastyText(chance, [name]) : name,
        nastyCopy(chance, member),
      ]),
  )
}

/** JSON of the value, sometimes with broken text. */
export function nastyJson(chance: Chance, value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return chance.isLucky(0.15) ? mutated(chance, text) : text
}

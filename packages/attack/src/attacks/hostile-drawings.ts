import { checkBrand, isBuildable } from '@hailstone/brand/check'
import type { Attack } from '../attack.ts'
import { drawing, goodBrand, goodFiles } from '../brand/good-brand.ts'
import { cpuMs } from '../process-figures.ts'

const DRAWINGS = 20_000

const functions = [
  'url',
  'src',
  'image',
  'image-set',
  '-webkit-image-set',
  'cross-fade',
  'element',
  'paint',
  'expression',
  'attr',
  'var',
]
const addresses = [
  '//evil.example/x',
  'https://evil.example/x#a',
  'data:image/svg+xml,x',
  'file:///etc/passwd',
  'x.svg#a',
  '#a\\',
  'javascript:alert(1)',
]

type Pick = <T>(list: readonly T[]) => T

/** Pseudo-random choices that a seed repeats: the same attack on every machine. */
function picker(seed: number): Pick {
  let state = seed
  return (list) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return list[(state >>> 8) % list.length] as (typeof list)[number]
  }
}

const escapes: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => letter.toUpperCase(),
  (letter) => `\\${letter.charCodeAt(0).toString(16)} `,
  (letter) => `\\${letter.charCodeAt(0).toString(16).padStart(6, '0')}`,
  (letter) => `&#${letter.charCodeAt(0)};`,
  (letter) => `/**/${letter}`,
]

/** A value that names something outside of the drawing, in one of many spellings. */
function hostileValue(pick: Pick): string {
  const name = pick(functions)
  const at = pick([...name].map((_, index) => index))
  const spelt = [...name].map((letter, index) => (index === at ? pick(escapes)(letter) : letter)).join('')
  const quote = pick(['', "'", '&quot;'])
  const value = `${spelt}${pick(['(', '( ', '(/**/'])}${quote}${pick(addresses)}${quote})`
  return pick([value, `url(#a) ${value}`, `${value} !important`, `#fff,${value}`])
}

const places: readonly ((value: string) => string)[] = [
  ...['fill', 'stroke', 'mask', 'filter', 'clip-path', 'cursor', 'marker-end', 'd', 'href', 'transform'].map(
    (name) => (value: string) => `<path ${name}="${value}"/>`,
  ),
  (value) => `<path style="fill:${value}"/>`,
  (value) => `<path style="/*&quot;*/fill:${value}/*&quot;*/"/>`,
  (value) => `<style>.a{fill:${value}}</style>`,
  (value) => `<style>.a{color:red}/*"*/.b{mask:${value}}/*"*/</style>`,
  (value) => `<style>@import ${value};</style>`,
  (value) => `<style>@font-face{font-family:a;src:${value}}</style>`,
  (value) => `<style><![CDATA[.a{fill:${value}}]]></style>`,
  (value) => `<use xmlns:l="http://www.w3.org/1999/xlink" l:href="${value}"/>`,
]

export const hostileDrawings: Attack = {
  name: 'hostile-drawings',
  row: 'A-16',
  what: `${DRAWINGS} drawings that load something, in escapes, comments, entities and functions of CSS`,
  async run({ say, signal }) {
    const pick = picker(16)
    let [tried, taken, slowestMs] = [0, 0, 0]
    const seen = new Set<string>()
    while (seen.size < DRAWINGS && tried < 10 * DRAWINGS && !signal.aborted) {
      tried++
      const inside = pick(places)(hostileValue(pick))
      if (seen.has(inside)) continue
      seen.add(inside)
      const files = new Map([...goodFiles, ['assets/logo.svg', drawing(inside)]])
      const startedAt = cpuMs()
      const report = checkBrand({ source: { config: goodBrand, files, folderName: 'acme' } })
      slowestMs = Math.max(slowestMs, cpuMs() - startedAt)
      if (isBuildable(report)) {
        taken++
        say(`taken: ${inside}`)
      }
    }
    return [
      { name: 'drawings offered', value: seen.size, unit: '', atLeast: 1000 },
      { name: 'of these taken', value: taken, unit: '', atMost: 0 },
      { name: 'longest check of a drawing', value: slowestMs, unit: 'ms', atMost: 1000 },
    ]
  },
}

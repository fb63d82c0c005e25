import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('.', import.meta.url)
const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'))

/** Declarations that go around the steps of the look; each with the reason in words. */
const rules: readonly (readonly [name: string, isAround: (property: string, value: string) => boolean])[] = [
  ['a colour of its own', (_, value) => /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(/i.test(value)],
  ['a size of text of its own', (property, value) => property === 'font-size' && /\d(?:rem|px)/.test(value)],
  ['a weight of its own', (property, value) => property === 'font-weight' && /\d/.test(value)],
  ['a corner of its own', (property, value) => /radius/.test(property) && /\d(?:rem|px)/.test(value)],
  [
    'a distance of its own',
    (property, value) =>
      /^(?:gap|row-gap|column-gap|padding|margin)/.test(property) &&
      /\d(?:rem|px)/.test(value.replace(/clamp\(1px/, '')),
  ],
  [
    'a shadow of its own',
    (property, value) => property === 'box-shadow' && !/^var\(--shadow-|^none$/.test(value),
  ],
]

function declarations(sheet: string): readonly (readonly [property: string, value: string])[] {
  const text = readFileSync(new URL(sheet, folder), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return [...text.matchAll(/([\w-]+):\s*([^;{}]+);/g)].map(([, property = '', value = '']) => [
    property,
    value.trim(),
  ])
}

describe('the style sheets', () => {
  it('take every colour, size of text, distance, corner and shadow from the steps of the look', () => {
    expect(sheets.length).toBeGreaterThan(4)
    const around = sheets.flatMap((sheet) =>
      declarations(sheet)
        .filter(([property]) => !property.startsWith('--'))
        .flatMap(([property, value]) =>
          rules
            .filter(([, isAround]) => isAround(property, value))
            .map(([name]) => `${sheet}: ${property}: ${value} is ${name}`),
        ),
    )
    expect(around).toEqual([])
  })

  it('move by transform and opacity alone', () => {
    const moved = sheets.flatMap((sheet) => {
      const text = readFileSync(new URL(sheet, folder), 'utf8')
      const frames = [...text.matchAll(/@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)].map(
        ([, body = '']) => body,
      )
      return frames.flatMap((body) =>
        [...body.matchAll(/([\w-]+):/g)]
          .map(([, property = '']) => property)
          .filter((property) => !['transform', 'opacity', 'translate', 'scale', 'rotate'].includes(property))
          .map((property) => `${sheet}: ${property}`),
      )
    })
    expect(moved).toEqual([])
  })

  it('let nothing loop but the sign that waits for an answer', () => {
    const endless = sheets.flatMap((sheet) =>
      declarations(sheet)
        .filter(([property, value]) => property === 'animation' && value.includes('infinite'))
        .map(([, value]) => value),
    )
    expect(endless).toEqual(['turn 1.6s linear infinite'])
  })
})

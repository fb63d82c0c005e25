import { describe, expect, it } from 'vitest'
import { crc32, openLine, sealLine } from './journal-line.ts'

describe('a journal line', () => {
  it('carries the CRC-32 that everybody computes', () => {
    // Check value of the catalogue of CRC algorithms.
    expect(crc32('123456789').toString(16)).toBe('cbf43926')
  })

  it('gives back what was sealed, whatever characters it has', () => {
    const json = JSON.stringify({ key: 'Überweisung №17 😀\n\0 \u2028' })
    const line = sealLine(json)
    expect(line).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(openLine(line) ?? '')).toStrictEqual(JSON.parse(json))
  })

  it('T3: is refused when any bit of it is another', () => {
    const line = sealLine('{"v":1,"id":"0123"}')
    const flipped = [...line].flatMap((character, at) =>
      Array.from({ length: 8 }, (_, bit) => {
        const other = String.fromCharCode(character.charCodeAt(0) ^ (1 << bit))
        return line.slice(0, at) + other + line.slice(at + 1)
      }),
    )
    expect(flipped).toHaveLength(8 * line.length)
    expect(flipped.filter((text) => openLine(text) !== null)).toStrictEqual([])
  })
})

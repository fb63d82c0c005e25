import { describe, expect, it } from 'vitest'
import { agoText } from './time-text.ts'

const SECOND = 1_000

describe('ages', () => {
  it('change every five seconds in the first minute, then every minute', () => {
    const texts = Array.from({ length: 180 }, (_, second) => agoText(0, second * SECOND, 'en'))
    expect(texts.slice(0, 11)).toEqual([
      ...Array(5).fill('now'),
      ...Array(5).fill('5 seconds ago'),
      '10 seconds ago',
    ])
    expect(new Set(texts).size).toBe(60 / 5 + 2)
    expect(texts.at(-1)).toBe('2 minutes ago')
  })

  it('are now for a time that is still to come', () => {
    expect(agoText(10 * SECOND, 0, 'en')).toBe('now')
  })
})

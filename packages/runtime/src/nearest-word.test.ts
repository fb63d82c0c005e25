import { expect, it } from 'vitest'
import { editDistance, nearestWord } from './nearest-word.ts'

it('counts the edits between two words', () => {
  expect(editDistance('tikcer', 'ticker')).toBe(1)
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
})

it.each([
  ['blocktime', 'block-time'],
  ['PORT', 'port'],
  ['prot', 'port'],
  ['gate', 'gateway-port'],
  ['po', undefined],
  ['verbose', undefined],
  ['x'.repeat(100_000), undefined],
])('finds the word nearest to %.20s: %s', (written, nearest) => {
  expect(nearestWord(written, ['port', 'gateway-port', 'block-time'])).toBe(nearest)
})

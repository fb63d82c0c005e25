import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyPage, historyPageCount, PAGE_SIZE } from './history-page.ts'

const numbersOn = (total: number, page: number): readonly number[] => {
  const { from, to } = historyPage({ total, page })
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => to - at)
}

test('pages hold every record exactly once, newest first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), (total) => {
      const pages = Array.from({ length: Math.ceil(total / PAGE_SIZE) + 1 }, (_, page) =>
        numbersOn(total, page),
      )
      expect(pages.flat()).toEqual(Array.from({ length: total }, (_, at) => total - 1 - at))
      expect(pages.at(-1)).toEqual([])
    }),
  )
})

test.each([
  [1, 0],
  [2, 1],
  [10, 1],
  [11, 1],
  [12, 2],
  [21, 2],
])('%i records are said to have %i pages', (total, count) => {
  expect(historyPageCount(total)).toBe(count)
})

import { expect, it } from 'vitest'
import { chainTime, weekOf } from './calendar.ts'

it('a chain does not go back a day when a block time does', () => {
  expect(chainTime(86_400, 0)).toEqual({ hour: 24, day: 1 })
  expect(chainTime(86_399, 24)).toEqual({ hour: 24, day: 1 })
})

it('weeks begin on Mondays: 1970-01-01 was a Thursday', () => {
  expect([3, 4, 10, 11].map(weekOf)).toEqual([0, 1, 1, 2])
})

import { expect, it } from 'vitest'
import { stampText } from './clock-text.ts'

it('a line of a log has day and zone, and names its moment', () => {
  const at = new Date(1_779_048_845_000)
  expect(stampText(at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
  expect(Date.parse(stampText(at))).toBe(at.getTime())
})

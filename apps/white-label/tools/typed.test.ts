import { expect, it } from 'vitest'
import { typed } from './serve-wizard.ts'

it.each([
  ['en, de', 'list', ['en', 'de']],
  ['en,de\n fr ,', 'list', ['en', 'de', 'fr']],
  ['5', 'count', 5],
  ['5.5', 'count', '5.5'],
  ['{"family":"Kelp"}', 'font', { family: 'Kelp' }],
  ['serif', 'font', 'serif'],
  ['{', 'data', '{'],
] as const)('reads %j in a field for %s', (text, kind, value) => {
  expect(typed(text, kind)).toEqual(value)
})

import { expect, it } from 'vitest'
import { findingLine } from './finding-line.ts'

it.each([
  [
    { code: 'E606', expected: 'at most 30 characters', found: '"AAAA"', fix: 'Shorten the text.' },
    'E606: expected at most 30 characters; found "AAAA". Shorten the text.',
  ],
  [
    { code: 'E009', expected: 'Name of the app.', found: 'nothing', fix: 'Fill it in.' },
    'E009: expected Name of the app; found nothing. Fill it in.',
  ],
])('says beside a field what was expected there: %#', (finding, line) => {
  expect(findingLine(finding)).toBe(line)
})

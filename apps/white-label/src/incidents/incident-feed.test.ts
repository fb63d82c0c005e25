import { expect, it } from 'vitest'
import { readKept } from './incident-feed.ts'

const NOW = Date.UTC(2026, 0, 2)
const text = JSON.stringify({ incidents: [{ id: 'a', title: 'Slow', impact: 'minor' }] })
const kept = (change: object): string => JSON.stringify({ readAtMs: NOW, text, hidden: [], ...change })
const count = (stored: string | null): number => readKept(stored, NOW).state.incidents.length

it('a reading of an earlier page is kept for an hour, and not from the future', () => {
  expect(count(kept({ readAtMs: NOW - 3_600_000 }))).toBe(1)
  expect(count(kept({ readAtMs: NOW - 3_600_001 }))).toBe(0)
  expect(count(kept({ readAtMs: NOW + 1 }))).toBe(0)
})

it.each([
  null,
  '',
  'null',
  '{',
  '7',
  kept({ text: '<html>' }),
  kept({ readAtMs: 'now' }),
  kept({ hidden: 7 }),
])('a storage with %s is as good as none', (stored) => {
  expect(count(stored)).toBe(0)
})

import { expect, it } from 'vitest'
import { agedAt, readKept } from './incident-feed.ts'

const NOW = Date.UTC(2026, 0, 2)
const text = JSON.stringify({ incidents: [{ id: 'a', title: 'Slow', impact: 'minor' }] })
const kept = (change: object): string => JSON.stringify({ readAtMs: NOW, text, hidden: [], ...change })
const count = (stored: string | null): number => readKept(stored, NOW).state.incidents.length

it('a reading of an earlier page is kept for an hour, and not from the future', () => {
  expect(count(kept({ readAtMs: NOW - 3_600_000 }))).toBe(1)
  expect(count(kept({ readAtMs: NOW - 3_600_001 }))).toBe(0)
  expect(count(kept({ readAtMs: NOW + 1 }))).toBe(0)
})

it('what was put away stays away when the reading itself is too old', () => {
  const { state } = readKept(kept({ hidden: ['mark'] }), NOW)
  expect(agedAt(state, NOW + 3_600_000)).toBe(state)
  const later = agedAt({ ...state, lastReading: 'failed' }, NOW + 3_600_001)
  expect(later).toEqual({ lastReading: 'failed', readAtMs: null, incidents: [], hidden: ['mark'] })
  const { state: reopened } = readKept(kept({ hidden: ['mark', 7] }), NOW + 3_600_001)
  expect(reopened).toEqual({ lastReading: null, readAtMs: null, incidents: [], hidden: ['mark'] })
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

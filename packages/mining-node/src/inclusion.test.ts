import { expect, it } from 'vitest'
import { type Inclusion, NOTHING_PUBLISHED, withSettled } from './inclusion.ts'

const after = (settled: readonly boolean[], from: Inclusion = NOTHING_PUBLISHED): Inclusion =>
  settled.reduce(withSettled, from)
const times = (count: number, isIncluded: boolean) => Array.from({ length: count }, () => isIncluded)

it('most of what was published is ignored from eight on, and is not any more once eight were judged again', () => {
  expect(after(times(7, false))).toMatchObject({ areIgnored: false, isAlarm: false })
  const ignored = after(times(8, false))
  expect(ignored).toEqual({ newest: [], areIgnored: true, isAlarm: true })
  expect(after(times(7, true), ignored)).toMatchObject({ areIgnored: true, isAlarm: false })
  expect(after(times(8, true), ignored)).toMatchObject({ areIgnored: false, isAlarm: false })
  expect(after(times(8, false), ignored)).toMatchObject({ areIgnored: true, isAlarm: true })
})

it('half of the newest twenty suffices', () => {
  const half = [...times(10, true), ...times(10, false)]
  expect(after(half)).toMatchObject({ areIgnored: false })
  expect(after([...half, false])).toMatchObject({ areIgnored: true, isAlarm: true })
})

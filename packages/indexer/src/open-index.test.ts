import { expect, it, onTestFinished, vi } from 'vitest'
import { assertSchemaName, closeSoonAfter } from './open-index.ts'

it.each([
  [false, 1],
  [true, 0],
])('an index whose isExclusive is %s is closed %i times soon after a signal', (isExclusive, times) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const close = vi.fn(async () => {})
  const ending = new AbortController()
  closeSoonAfter(ending.signal, { isExclusive, close })
  vi.advanceTimersByTime(60_000)
  expect(close).not.toHaveBeenCalled()
  ending.abort()
  vi.advanceTimersByTime(2000)
  expect(close).toHaveBeenCalledTimes(times)
})

it.each(['Sales', 'my schema', '1st', 'pg_index', 'information_schema', 'a'.repeat(59)])(
  'the schema %s is refused',
  (schema) => {
    expect(() => assertSchemaName(schema)).toThrow(expect.objectContaining({ code: 'CONFIGURATION_INVALID' }))
    expect(() => assertSchemaName(`_${schema.toLowerCase().slice(0, 57).replace(' ', '-')}`)).not.toThrow()
  },
)

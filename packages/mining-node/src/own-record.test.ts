import { expect, it } from 'vitest'
import { manualClock } from '../test/manual-clock.ts'
import { createMemoryCursors } from './cursors/cursor-store.ts'
import { openOwnRecord } from './own-record.ts'

it('is written on while the clock of the machine is an hour behind', async () => {
  const manual = manualClock()
  let putBackMs = 0
  const clock = { ...manual, wallNow: () => manual.wallNow() - putBackMs }
  const record = openOwnRecord({ store: createMemoryCursors(), name: 'own', clock })
  record.alive()
  putBackMs = 3_600_000
  manual.advance(20_000)
  record.alive()
  await record.settled()
  manual.advance(60_000)
  expect(clock.now() - Number(await record.lastAliveAt())).toBe(60_000)
})

import type { FleetEvent } from '@hailstone/mining-node/fleet'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createFleetWork } from './fleet-work.ts'

const address = `02${'1'.repeat(64)}` as Address
const other = `03${'2'.repeat(64)}` as Address

it('counts the work of each account by itself, and the time that it is connected', () => {
  let nowMs = 1_000
  const work = createFleetWork(() => nowMs)
  const note = (event: object) => work.note({ address, ...event } as FleetEvent)
  note({ type: 'hailed' })
  for (const microblockHash of ['a', 'b', 'c']) note({ type: 'published', microblockHash })
  note({ type: 'included', microblockHash: 'a' })
  note({ type: 'beaconRefused', refusal: 'newerBeaconCame' })
  note({ type: 'beaconRefused', refusal: 'hashMismatch' })
  note({ type: 'heightChanged', height: 99, isStale: false })
  expect(work.of(address).publications).toEqual({
    ...{ published: 3, included: 1, missed: 0, refused: 2, late: 1 },
  })
  for (const microblockHash of ['b', 'c']) note({ type: 'missed', microblockHash })
  expect(work.of(address).publications.missed).toBe(2)
  // An API that is far behind shows one later.
  note({ type: 'included', microblockHash: 'b' })
  expect(work.of(address).publications).toMatchObject({ included: 2, missed: 1 })
  // One that was missed is sent once more, on another connection.
  note({ type: 'published', microblockHash: 'c' })
  note({ type: 'included', microblockHash: 'c' })
  expect(work.of(address).publications).toMatchObject({ included: 3, missed: 0 })
  nowMs = 4_000
  note({ type: 'disconnected' })
  note({ type: 'disconnected' })
  expect(work.of(address).connected).toEqual({ beforeMs: 3_000, sinceMs: null })
  note({ type: 'hailed' })
  expect(work.of(address).connected).toEqual({ beforeMs: 3_000, sinceMs: 4_000 })
  expect(work.of(other).publications.published).toBe(0)
})

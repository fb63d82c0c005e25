import { expect, it } from 'vitest'
import { EMPTY_BAND, stakeBand } from './stake-band.ts'

it.each([
  [0n, EMPTY_BAND],
  [-1n, EMPTY_BAND],
  [1n, -7],
  [49n, -2],
  [50n, -1],
  [99n, -1],
  [100n, 0],
  [199n, 0],
  [200n, 1],
  [100n * 2n ** 60n, 40],
])('a balance of %i at a minimum of 100 is in band %i', (amount, band) => {
  expect(stakeBand(amount, 100n)).toBe(band)
})

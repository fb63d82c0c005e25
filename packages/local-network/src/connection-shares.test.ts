import { expect, test } from 'vitest'
import { connectionShares } from './connection-shares.ts'

test('the connections of both ports and the files of the database fit into the open files there are', () => {
  for (const openFiles of [256, 1024, 4096, 20_000, 1_000_000]) {
    const { api, gateway } = connectionShares({ openFiles })
    expect(api + gateway).toBeLessThanOrEqual(openFiles - 128)
    expect(api).toBeGreaterThan(30)
    expect(gateway).toBeGreaterThan(30)
  }
})

test('a fleet of 10,000 miners finds its places where the system has the files', () => {
  expect(connectionShares({ openFiles: 20_000 }).gateway).toBeGreaterThan(10_000)
  expect(connectionShares({ openFiles: 20_000, maxMiners: 500 }).gateway).toBe(500)
})

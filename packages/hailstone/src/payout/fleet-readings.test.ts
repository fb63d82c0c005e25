import { createWallet } from '@hailstone/client'
import { createFleet } from '@hailstone/mining-node/fleet'
import { expect, it } from 'vitest'
import { fleetReadings } from './fleet-readings.ts'

it('reads the health of a fleet once for all of its accounts, and again a while later', () => {
  const wallets = Array.from({ length: 50 }, () => createWallet())
  const fleet = createFleet({ wallets, gatewayUrl: 'ws://127.0.0.1:9' })
  let [asked, nowMs] = [0, 0]
  const health: typeof fleet.health = () => {
    asked++
    return fleet.health()
  }
  const readOf = fleetReadings({ health, node: fleet.node }, () => nowMs)
  for (const { address } of wallets) expect(readOf(address)).toBe(null)
  expect(asked).toBe(1)
  nowMs += 60_000
  for (const { address } of wallets) readOf(address)
  expect(asked).toBe(2)
})

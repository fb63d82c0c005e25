import type { TokenSlot } from '@hailstone/client'
import { expect, it } from 'vitest'
import { slotFacts, slotSentence } from './token-slot.ts'

const slot = {
  ...{
    hasSlot: false,
    places: { count: 4, size: 2 },
    minimumStake: 500n,
    owner: { address: '', amount: 250n },
  },
  native: { symbol: 'DEV', decimals: 2 },
} as unknown as TokenSlot

it('says amounts in coins of the network, and none whose decimals it did not say', () => {
  expect(slotSentence(slot, 'ACME')).toContain('more than 5. The owner of ACME has 2.5.')
  expect(slotFacts(slot)).toMatchObject({ wanted: '5', ownerHas: '2.5' })
  const without = { ...slot, native: null }
  expect(slotSentence(without, 'ACME')).not.toMatch(/0\.0|The owner/)
  expect(slotFacts(without)).toMatchObject({ wanted: null, ownerHas: null })
})

import { describe, expect, it } from 'vitest'
import { paymentMutations } from './payment-mutations.ts'
import { firstFinding } from './seeds.ts'

/** A simulator that finds nothing proves nothing. */
describe('finds', () => {
  it.each(paymentMutations)('$name', async (mutation) => {
    const found = await firstFinding('payments', mutation, 300)
    expect(found?.violations[0]?.what).toBeDefined()
  })
})

import type { Client } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { checkEarnings } from '../src/doctor/check-earnings.ts'
import type { DoctorContext } from '../src/doctor/doctor-context.ts'

const own = { recordType: 'im', time: 1_700_000_000, hash: 'a microblock' }
const referral = { ...own, recordType: 'iref' }

/** The inclusion as doctor finds it, where each reading gets the next of these histories, and the last one from then on. */
function inclusionIn(...histories: readonly (readonly object[])[]) {
  let readings = 0
  const client = {
    async *rewardsOf() {
      yield* histories[Math.min(readings++, histories.length - 1)] ?? []
    },
  } as unknown as Client
  const context = {
    client,
    address: `02${'ab'.repeat(32)}` as Address,
    nowMs: () => 1_700_000_060_000,
    signal: AbortSignal.timeout(60_000),
  }
  return checkEarnings(context as unknown as DoctorContext)
}

it('an empty history is read again before nothing was ever earned', async () => {
  expect(await inclusionIn([], [referral, own])).toMatchObject({
    verdict: 'ok',
    what: expect.stringContaining('60 s ago: a microblock'),
  })
  const { what } = await inclusionIn([])
  expect(what).toContain('ever included, by what the API shows')
})

it('a search that ends at its limit does not claim that nothing was included', async () => {
  const { what } = await inclusionIn(Array.from({ length: 60 }, () => referral))
  expect(what).toContain('None of the newest 50 rewards')
  expect(what).not.toContain('ever')
})

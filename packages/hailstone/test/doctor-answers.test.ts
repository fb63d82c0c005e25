import type { Client } from '@hailstone/client'
import { readSeen } from '@hailstone/mining-node/why'
import type { Address } from '@hailstone/protocol'
import { masterPublicKeys } from '@hailstone/protocol/leader'
import { expect, it } from 'vitest'
import { checkEarnings, judgeSeen } from '../src/doctor/check-earnings.ts'
import { checkLeaders } from '../src/doctor/check-network.ts'
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

it('says whether the network sees the device, beside what runs here', async () => {
  const address = `02${'ab'.repeat(32)}` as Address
  const found = async (runsHere: boolean, ...keys: readonly string[]) => {
    const list = keys.map((key) => ({ address: key, countryName: null, countryCode: null }))
    return judgeSeen({ seen: await readSeen({ getMinersOnline: async () => list }, { address }), runsHere })
  }
  const other = `03${'cd'.repeat(32)}`
  const what = expect.stringContaining('one of 2')
  expect(await found(true, other, address)).toMatchObject({ verdict: 'ok', what })
  expect(await found(false, other, address)).toMatchObject({ verdict: 'ok', what })
  expect(await found(false, other)).toMatchObject({ verdict: 'skipped' })
  expect(await found(true, other)).toMatchObject({
    verdict: 'warning',
    what: expect.stringContaining('does not list this miner among the 1 miner'),
  })
  // A node without a database, or without the list.
  for (const runsHere of [true, false])
    expect(await found(runsHere)).toMatchObject({
      verdict: 'skipped',
      what: expect.stringContaining('not known: the API lists no miner at all'),
    })
})

it('compares the master key that is known with the one that the API names', async () => {
  const { pulse, bit } = masterPublicKeys
  const found = (masterPublicKey: object | undefined, network: object | undefined) =>
    checkLeaders({
      client: { getNetworkInfo: async () => ({ masterPublicKey }) },
      chosen: { network },
      signal: AbortSignal.timeout(60_000),
    } as unknown as DoctorContext)
  const known = { name: 'pulse', masterPublicKey: 'pulse' }
  expect(await found(pulse, known)).toMatchObject({
    verdict: 'ok',
    what: expect.stringContaining('the one that the API names'),
  })
  expect(await found(undefined, known)).toMatchObject({ verdict: 'ok' })
  expect(await found(bit, known)).toMatchObject({ verdict: 'warning' })
  expect(await found(bit, undefined)).toMatchObject({
    verdict: 'skipped',
    what: expect.stringContaining('x 1 188797788659'),
  })
  expect(await found(undefined, undefined)).toMatchObject({ verdict: 'skipped' })
})

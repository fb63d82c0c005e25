import type { Address } from '@hailstone/mining-node'
import { isAddress } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { leaderCalls } from './leader-calls.ts'
import { isMiningPolicy } from './mining-policy.ts'

const address = `02${'ab'.repeat(32)}` as Address
const policy = {
  wifiOnly: true,
  chargingOnly: false,
  minBattery: 15,
  quietHours: [{ from: '22:00', to: '07:30' }],
}

/** Calls, with what they stored. */
function calls() {
  const stored: unknown[] = []
  const keep = async (value: unknown): Promise<void> => void stored.push(value)
  return {
    stored,
    ...leaderCalls({ setAgent: keep, setPolicy: keep } as never, async () => ({}) as never, isAddress),
  }
}

describe('S-8: what another page of this origin sends', () => {
  it.each([
    undefined,
    '',
    'ref_x',
    7,
    {},
    { parameters: [] },
    [address],
    `${address}0`,
    address.toUpperCase(),
  ])(
    'is not stored as the agent when it is %j, which every later start would stumble over',
    async (agent) => {
      const { stored, setAgent } = calls()
      await expect(setAgent(agent as never)).rejects.toThrow('not well formed')
      expect(stored).toEqual([])
    },
  )

  it.each([
    undefined,
    null,
    {},
    [],
    { ...policy, quietHours: undefined },
    { ...policy, quietHours: {} },
    { ...policy, quietHours: [null] },
    { ...policy, quietHours: [{ from: '22:00' }] },
    { ...policy, quietHours: [{ from: '25:00', to: '07:00' }] },
    { ...policy, quietHours: Array.from({ length: 25 }, () => policy.quietHours[0]) },
    { ...policy, minBattery: '15' },
    { ...policy, minBattery: Number.NaN },
    { ...policy, minBattery: 101 },
    { ...policy, minBattery: -1 },
    { ...policy, wifiOnly: 'yes' },
    { ...policy, chargingOnly: undefined },
  ])('is not stored as the policy when it is %j', async (given) => {
    const { stored, setPolicy } = calls()
    expect(isMiningPolicy(given)).toBe(false)
    await expect(setPolicy(given as never)).rejects.toThrow('not well formed')
    expect(stored).toEqual([])
  })

  it('is stored where it is well formed', async () => {
    const { stored, setAgent, setPolicy } = calls()
    await setAgent(address)
    await setAgent(null)
    await setPolicy(policy)
    await setPolicy({ ...policy, minBattery: 0, quietHours: [] })
    expect(stored).toEqual([address, null, policy, { ...policy, minBattery: 0, quietHours: [] }])
  })
})

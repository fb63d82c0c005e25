import { type Address, parseAddress } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import type { EngineConfig } from './engine-config.ts'
import type { AccountState } from './engine-state.ts'
import { mayTakeAgent } from './may-take-agent.ts'

const own = parseAddress(`02${'1'.repeat(64)}`)
const brandAgent = parseAddress(`02${'2'.repeat(64)}`)
const thief = parseAddress(`02${'3'.repeat(64)}`)

const fixed = { canChangeAgent: false, hasAgentStep: true, defaultAgent: null } as unknown as EngineConfig
const firstRun: AccountState = { status: 'setup', step: 'agent', address: own, isNew: true }
const others: readonly AccountState[] = [
  { status: 'none', lost: null, isOutdated: false } as unknown as AccountState,
  { ...firstRun, step: 'words' },
  { status: 'open', address: own } as unknown as AccountState,
  { status: 'locked', address: own } as unknown as AccountState,
]

describe('a brand that fixes the agent', () => {
  it.each([thief, brandAgent, null])('takes %s in no state but the first run', (next: Address | null) => {
    for (const state of others) {
      expect(mayTakeAgent(fixed, state, next)).toBe(false)
      expect(mayTakeAgent({ ...fixed, defaultAgent: brandAgent }, state, next)).toBe(false)
    }
  })

  it('takes who invited in the first run, and the agent of the brand alone where there is one', () => {
    expect([thief, null].map((next) => mayTakeAgent(fixed, firstRun, next))).toEqual([true, true])
    const named = { ...fixed, defaultAgent: brandAgent }
    const answers = [brandAgent, thief, null].map((next) => mayTakeAgent(named, firstRun, next))
    expect(answers).toEqual([true, false, false])
    expect(mayTakeAgent({ ...fixed, hasAgentStep: false }, firstRun, thief)).toBe(false)
  })

  it('is not the rule of others', () => {
    const free = { ...fixed, canChangeAgent: true }
    for (const state of [...others, firstRun]) expect(mayTakeAgent(free, state, thief)).toBe(true)
  })
})

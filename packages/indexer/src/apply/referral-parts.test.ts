import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import type { RecordFact } from '../facts.ts'
import { canBeWhole } from './referral-parts.ts'

const [owner, publisher, agent] = ['02aa', '02bb', '02cc'] as unknown as readonly [Address, Address, Address]
const rules = { owner, mining: { referralShareBps: 1000 } as never }
const im = (amount: bigint, account = publisher): RecordFact => ({ type: 'im', account, amount })
const iref = (account: Address, amount: bigint): RecordFact => ({ type: 'iref', account, amount })

it.each<[string, readonly RecordFact[], Address | null, boolean]>([
  ['without an agent', [im(1000n), iref(owner, 100n)], null, true],
  ['with an agent without a balance', [im(1000n), iref(owner, 100n)], agent, true],
  ['with an agent without the stake', [iref(owner, 50n), iref(publisher, 50n), im(1000n)], agent, true],
  ['with an agent', [im(1000n), iref(publisher, 50n), iref(agent, 50n)], agent, true],
  ['too small for a referral', [im(5n)], null, true],
  ['that are not there', [], null, false],
  ['without a referral', [im(1000n)], null, false],
  ['without their own', [iref(owner, 100n)], null, false],
  ['of another publisher', [im(1000n, agent), iref(owner, 100n)], null, false],
  ['with halves and no agent', [im(1000n), iref(publisher, 50n), iref(agent, 50n)], null, false],
  ['of which the last one is cut off', [im(1000n), iref(publisher, 50n)], agent, false],
  ['of another size', [im(2000n), iref(publisher, 50n), iref(agent, 50n)], agent, false],
])('records %s can be whole or not', (_, records, of, expected) => {
  expect(canBeWhole(rules, { publisher, agent: of, records })).toBe(expected)
})

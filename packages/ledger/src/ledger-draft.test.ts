import { toAmount } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { createGenesis } from './genesis.ts'
import { LedgerDraft } from './ledger-draft.ts'
import { createLedgerState } from './ledger-state.ts'

const genesis = createGenesis({ seed: 'draft', time: 0 })
const { native } = genesis.tokens

test('what was written as it was is no change', () => {
  const state = createLedgerState(genesis.content)
  const draft = new LedgerDraft(state)
  const [pool] = state.stakePools()
  if (pool === undefined) throw new Error('the genesis has a stake pool')
  draft.putToken({ ...native })
  draft.putStakePool({ ...pool })
  for (const delegation of state.delegations(pool.id)) draft.putDelegation({ ...delegation })
  draft.credit(native.owner, native.id, 5n)
  draft.debit(native.owner, native.id, 5n)
  expect(draft.changes()).toEqual({
    balances: [],
    tokens: [],
    stakePools: [],
    delegations: [],
    undelegations: [],
    calculated: [],
  })
})

test('one member that is other makes the row a change, and so does a new row', () => {
  const draft = new LedgerDraft(createLedgerState(genesis.content))
  const supplied = { ...native, totalSupply: toAmount(native.totalSupply + 1n) }
  const added = { ...native, id: 'ab'.repeat(32) as typeof native.id }
  draft.putToken(supplied)
  draft.putToken(added)
  draft.credit(`02${'0'.repeat(64)}` as typeof native.owner, native.id, 0n)
  expect(draft.changes().tokens).toEqual([supplied, added])
  expect(draft.changes().balances).toMatchObject([{ before: undefined, after: 0n }])
})

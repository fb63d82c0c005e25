import { type Address, type Amount, toAmount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { type ApiView, NOTHING_SAID } from '../api-view.ts'
import { createAccountUpdates } from './account-updates.ts'
import {
  type AccountsState,
  aged,
  holdOf,
  keepBalance,
  noAccounts,
  noteStake,
  totalsOf,
  viewOf,
} from './accounts-state.ts'

const [one, other] = [`02${'11'.repeat(32)}`, `02${'22'.repeat(32)}`] as [Address, Address]
const MINIMUM = toAmount(25n)

const stakes: AccountsState['stakes'] = {
  token: { symbol: 'DEV', decimals: 0, isMineable: true, minimumStake: MINIMUM, referrerStake: null },
  agent: null,
  nativeTokenId: ZERO_TOKEN_ID,
  source: 'node',
  height: 7,
  readAtMs: 1,
  isStale: false,
}
const doubted: ApiView = { ...NOTHING_SAID, doubt: { kind: 'unknownToken', detail: 'no such token' } }

const balanceOf = (amount: Amount) => ({
  amount,
  isKnown: true,
  decimals: 0,
  symbol: 'DEV',
  source: 'node',
  height: 7,
  readAtMs: 1,
  delegated: toAmount(0n),
  stakingReward: toAmount(0n),
  inTransit: toAmount(0n),
  undelegated: toAmount(0n),
})

function stateWith(changes: Partial<AccountsState>, amount?: bigint): AccountsState {
  const state = { ...noAccounts({ tokenId: ZERO_TOKEN_ID, mineBelowStake: false }), stakes, ...changes }
  if (amount !== undefined) keepBalance(state, one, balanceOf(toAmount(amount)))
  noteStake(state, one)
  return state
}

it.each([
  ['a balance that is enough lets it go', stateWith({}, 25n), undefined],
  ['a balance that is not holds it', stateWith({}, 24n), 'stakeTooLow'],
  ['unless it mines below the stake', stateWith({ mineBelowStake: true }, 24n), undefined],
  ['a balance that is not known lets it go', stateWith({}), undefined],
  ['unless it waits for that', stateWith({ awaited: new Set([one]) }), 'stakeUnknown'],
  ['stakes that are not known let it go', stateWith({ stakes: null }, 0n), undefined],
  ['a doubt holds it, whatever it has', stateWith({ said: doubted }, 25n), 'unknownToken'],
])('%s', (_, state, kind) => {
  expect(holdOf(state, one)?.kind).toBe(kind)
})

it('sums what was read', () => {
  const state = stateWith({}, 24n)
  keepBalance(state, other, balanceOf(toAmount(40n)))
  noteStake(state, other)
  expect(totalsOf(state)).toMatchObject({ read: 2, balance: 64n, belowStake: 1, heldBack: 1 })
})

const updatesOf = (hold: Parameters<typeof createAccountUpdates>[0]['hold']) =>
  createAccountUpdates({
    terms: { tokenId: ZERO_TOKEN_ID },
    mineBelowStake: false,
    accounts: () => [one, other],
    hold,
    emit: () => undefined,
  })

it('holds each node for the reason of now, and lets go those that were held', () => {
  const held: string[] = []
  const updates = updatesOf((account, reason) =>
    held.push(`${account === one ? 'one' : 'other'} ${reason?.kind ?? 'goes'}`),
  )
  updates.change({ stakes })
  expect([updates.expect(one), updates.expect(other)]).toEqual([true, true])
  updates.balanceRead(one, balanceOf(toAmount(24n)))
  updates.releaseAwaited()
  updates.change({ said: doubted })
  updates.applyAll()
  updates.change({ said: NOTHING_SAID })
  updates.applyAll()
  updates.balanceRead(one, balanceOf(toAmount(25n)))
  updates.balanceRead(one, balanceOf(toAmount(26n)))
  expect(held).toEqual([
    'one stakeUnknown',
    'other stakeUnknown',
    'one stakeTooLow',
    'other goes',
    'one unknownToken',
    'other unknownToken',
    'one stakeTooLow',
    'other goes',
    'one goes',
  ])
})

it('looks first at those of too low a stake that were looked at longest ago', () => {
  const updates = updatesOf(() => undefined)
  updates.change({ stakes })
  for (const account of [one, other]) updates.balanceRead(account, balanceOf(toAmount(1n)))
  expect(updates.nextLow(1)).toEqual([one])
  expect(updates.nextLow(1)).toEqual([other])
  updates.balanceRead(other, balanceOf(toAmount(2n)))
  expect(updates.nextLow(2)).toEqual([one, other])
})

it('calls a balance stale until it is read again, however the clock of the machine is set meanwhile', () => {
  const state = stateWith({}, 25n)
  const old = aged(state)
  expect(viewOf(old, one).balance?.isStale).toBe(true)
  keepBalance(old, one, { ...balanceOf(toAmount(25n)), readAtMs: -3_600_000 })
  expect(viewOf(old, one).balance?.isStale).toBe(false)
})

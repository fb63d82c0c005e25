import { describe, expect, it } from 'vitest'
import type { BetweenTabs } from './engine-messages.ts'
import {
  type Call,
  elected,
  failureOf,
  firstTab,
  heard,
  idle,
  isPending,
  isToYield,
  repeated,
  settled,
  shownState,
  type TabState,
  withPending,
} from './tab-state.ts'

const conditions = { hasConsent: true, isOnline: true, isMetered: null, isCharging: null, battery: null }
const first = firstTab(conditions)
const call = (id: number, name: string): Call => ({ id, name, parameters: {}, account: null })
const error = (code: string) => ({ code, message: '', facts: {} })

type StateMessage = Extract<BetweenTabs, { type: 'state' }>
/** A state of a leader, with parts of it replaced. */
const messageOf = (parts: object = {}, others: object = {}): StateMessage =>
  ({
    type: 'state',
    state: {
      isLeader: true,
      account: { status: 'none', lost: [], isOutdated: false },
      snapshot: { address: '02ab', state: { status: 'mining' } },
      run: {},
      policy: {},
      rewards: null,
      payments: [],
      log: [],
      ...parts,
    },
    hasKey: true,
    term: 'first',
    ...others,
  }) as unknown as StateMessage

const after = (state: TabState, message = messageOf()): TabState => {
  const known = heard(state, message)
  if (known === null) throw new Error('The message is not taken.')
  return known.next
}

describe('the state of a leader', () => {
  it.each([
    ['before any other', first, 'first', true],
    ['of the same term', after(first), 'first', false],
    ['of the next term', after(first), 'second', true],
    ['of an earlier version, at first', first, undefined, true],
    ['of an earlier version, again', after(first, messageOf({}, { term: undefined })), undefined, false],
    ['after this tab led', elected(after(first), 'own'), 'first', true],
  ])('%s is of another leader or is not', (_, state, term, isOtherLeader) => {
    expect(heard(state, messageOf({}, { term }))?.isOtherLeader).toBe(isOtherLeader)
  })

  it.each([
    ['no account', { account: undefined }],
    ['an account without a status', { account: {} }],
    ['no run', { run: null }],
    ['no policy', { policy: 'none' }],
    ['rewards without totals', { rewards: {} }],
    ['no list of payments', { payments: {} }],
    ['no log', { log: undefined }],
  ])('with %s is not taken', (_, parts) => {
    expect(heard(first, messageOf(parts))).toBeNull()
  })

  it('is that of another tab, and shown once lock and passkey of this one are known', () => {
    const state = after(first)
    expect(shownState(state)).toBeNull()
    const access = { tabLock: 'open', passkey: null } as const
    expect(shownState({ ...first, access })).toBeNull()
    expect(shownState({ ...state, access })).toMatchObject({ isLeader: false, ...access, payments: [] })
  })

  it('becomes one in which nobody mines, with or without a snapshot', () => {
    expect(idle(first)).toBe(first)
    expect(idle(after(first)).leaderState?.snapshot).toMatchObject({
      address: '02ab',
      state: { status: 'idle' },
    })
    expect(idle(after(first, messageOf({ snapshot: null }))).leaderState?.snapshot).toBeNull()
  })

  it.each([
    ['with the key', true, 'open', false],
    ['without an account', false, 'none', false],
    ['without the key, locked', false, 'locked', true],
    ['without the key, in its first run', false, 'setup', true],
  ])('%s asks for the lead or does not', (_, hasKey, status, isAsked) => {
    expect(isToYield(messageOf({ account: { status } }, { hasKey }))).toBe(isAsked)
  })
})

describe('calls to the leader', () => {
  const asked = [call(1, 'approvePayment'), call(2, 'resync')].reduce(withPending, first)

  it('are pending until they are answered', () => {
    expect([1, 2, 3].map((id) => isPending(asked, id))).toEqual([true, true, false])
    expect(isPending(settled(asked, 2), 2)).toBe(false)
    expect(isPending(settled(asked, 2), 1)).toBe(true)
  })

  it('are repeated once, and approvals are remembered until they are answered', () => {
    const { next, calls } = repeated(asked)
    expect(calls.map(({ id }) => id)).toEqual([1, 2])
    expect(repeated(next).calls).toEqual([])
    expect(next.repeatedApprovals).toEqual([1])
    expect(settled(next, 1).repeatedApprovals).toEqual([])
  })

  it.each([
    ['of the leader that took it', asked, 1, 'UNKNOWN', 'UNKNOWN'],
    ['of the next leader, which knows nothing', repeated(asked).next, 1, 'UNKNOWN', 'APPROVAL_LOST'],
    [
      'of the next leader by its journal',
      repeated(asked).next,
      1,
      'PAYMENT_NOT_APPROVED',
      'PAYMENT_NOT_APPROVED',
    ],
    ['of a repeated call that approves nothing', repeated(asked).next, 2, 'UNKNOWN', 'UNKNOWN'],
  ])('fail with the word %s', (_, state, id, code, told) => {
    expect(failureOf(state, id, error(code)).code).toBe(told)
  })
})

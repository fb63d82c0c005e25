import type { Address } from '@hailstone/mining-node'
import type { BetweenTabs } from './engine-messages.ts'
import type { EngineState, PlainError, PlainSnapshot, SharedState } from './engine-state.ts'
import type { Conditions } from './mining-policy.ts'

/** Account that the calling page shows; null if it shows none, undefined before its first state. */
type Shown = Address | null | undefined

export type Call = {
  readonly id: number
  readonly name: string
  readonly parameters: unknown
  readonly account?: Shown
}

/** All state on which the engine of one tab bases its decisions, except the account and the controller. */
export type TabState = {
  readonly conditions: Conditions
  /** Last state of the leader; null until one was received. */
  readonly leaderState: SharedState | null
  /** Term in the last message of a leader; null before the first one. */
  readonly leaderTerm: string | undefined | null
  readonly ownTerm: string
  /** Lock and passkey of this tab as last read from the storage; null before the first read. */
  readonly access: Pick<EngineState, 'tabLock' | 'passkey'> | null
  /** True from the freeze of this page until this tab leads again. */
  readonly hasSlept: boolean
  /** Calls to the leader that are not answered yet. They are repeated to the next leader, which may be this tab. */
  readonly pending: readonly Call[]
  /** Approvals that an earlier leader may have carried out. */
  readonly repeatedApprovals: readonly number[]
}

/** State between two leaders, when no tab mines. */
const IDLE: PlainSnapshot['state'] = { status: 'idle', why: '', nextStep: '' }

/** Code of `payment-approvals.ts`, which the first page does not load. */
const NOT_APPROVED = 'PAYMENT_NOT_APPROVED'

export const firstTab = (conditions: Conditions): TabState => ({
  conditions,
  leaderState: null,
  leaderTerm: null,
  ownTerm: '',
  access: null,
  hasSlept: false,
  pending: [],
  repeatedApprovals: [],
})

/** Returns the state of a tab that has become the leader. A later leader counts as another one even if this tab knew none. */
export const elected = (state: TabState, term: string): TabState => ({
  ...state,
  ownTerm: term,
  leaderTerm: term,
})

/** True if the page can show the state. Any page of this origin can send one, so its values may still be wrong. */
function isShowable(state: Partial<EngineState> | undefined): boolean {
  const { account, run, rewards, policy, payments, log } = state ?? {}
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
  return (
    typeof account?.status === 'string' &&
    [run, policy].every(isObject) &&
    (rewards === null || isObject(rewards?.totals)) &&
    [payments, log].every((list) => Array.isArray(list))
  )
}

/**
 * Stores the state that the leader sent; returns null if a page cannot show it. The first leader counts as another one,
 * too, so that calls sent before it was ready are repeated.
 */
export const heard = (
  state: TabState,
  { state: leaderState, term }: Extract<BetweenTabs, { type: 'state' }>,
): { readonly next: TabState; readonly isOtherLeader: boolean } | null =>
  isShowable(leaderState)
    ? {
        next: { ...state, leaderTerm: term, leaderState: { ...leaderState, isLeader: false } },
        isOtherLeader: state.leaderTerm !== term,
      }
    : null

/** Removes the unanswered calls from the state and returns them to be repeated. */
export const repeated = (state: TabState): { readonly next: TabState; readonly calls: readonly Call[] } => {
  const approvals = state.pending.flatMap(({ id, name }) => (name === 'approvePayment' ? [id] : []))
  const repeatedApprovals = [...state.repeatedApprovals, ...approvals]
  return { next: { ...state, pending: [], repeatedApprovals }, calls: state.pending }
}

export const withPending = (state: TabState, call: Call): TabState => ({
  ...state,
  pending: [...state.pending, call],
})

export const isPending = ({ pending }: TabState, id: number): boolean =>
  pending.some((call) => call.id === id)

/** Removes a call that is answered. */
export const settled = (state: TabState, id: number): TabState => ({
  ...state,
  pending: state.pending.filter((call) => call.id !== id),
  repeatedApprovals: state.repeatedApprovals.filter((approval) => approval !== id),
})

/**
 * Returns why a call failed. An approval that an earlier leader may have carried out is certain to have failed only if
 * the next leader did not find the payment in the journal.
 */
export const failureOf = ({ repeatedApprovals }: TabState, id: number, error: PlainError): PlainError =>
  repeatedApprovals.includes(id) && error.code !== NOT_APPROVED ? { ...error, code: 'APPROVAL_LOST' } : error

/** Returns the last state as one in which no tab mines, to be shown until a new leader sends its state. */
export function idle(state: TabState): TabState {
  const { leaderState } = state
  if (leaderState === null) return state
  const snapshot = leaderState.snapshot && { ...leaderState.snapshot, state: IDLE }
  return { ...state, leaderState: { ...leaderState, snapshot, isLeader: false } }
}

/** Returns the state of a tab that has just locked a sealed account, before its storage is read again. */
export function lockedAs(state: TabState, tabLock: EngineState['tabLock']): TabState {
  const { access, leaderState } = state
  const account = leaderState?.account
  const isSealed = account !== undefined && 'isSealed' in account && account.isSealed
  return access !== null && isSealed ? { ...state, access: { ...access, tabLock } } : state
}

/** Returns the state for the page; null until the leader's part and this tab's part are known. */
export const shownState = ({ leaderState, access }: TabState): EngineState | null =>
  leaderState && access && { ...leaderState, ...access }

/** True if a leader without the key is to yield to a tab that has it. */
export const isToYield = ({ hasKey, state }: Extract<BetweenTabs, { type: 'state' }>): boolean =>
  !hasKey && state.account.status !== 'none'

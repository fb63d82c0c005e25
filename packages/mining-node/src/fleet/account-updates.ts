import type { Address } from '@hailstone/protocol'
import type { Doubt, HoldReason } from '../session/state.ts'
import { rememberCounted } from '../store/mining-snapshot.ts'
import { isReferral } from '../watchers/explain-reward.ts'
import type { WatchedBalance } from '../watchers/watch-balance.ts'
import {
  type AccountsState,
  aged,
  counted,
  holdOf,
  keepBalance,
  noAccounts,
  noteStake,
} from './accounts-state.ts'
import { READ_IN_TURN } from './fleet-balances.ts'
import type { FleetEvent } from './fleet-events.ts'
import type { NamedFleetReward } from './rewards-of-macroblock.ts'
import type { MiningTerms } from './signer-pool.ts'

/** The state of a fleet's accounts: each change is emitted, and holds nodes or lets them go. */
export type AccountUpdates = {
  readonly state: () => AccountsState
  readonly change: (changes: Partial<AccountsState>) => void
  /** Holds the whole fleet back; null if nothing does. */
  readonly doubt: () => Doubt | null
  /** What was read before may be of a chain that is no more, or was read long ago. */
  readonly age: () => void
  /** Adds a reward, or takes one away. */
  readonly count: (reward: NamedFleetReward, by: 1 | -1) => void
  readonly balanceRead: (account: Address, read: Omit<WatchedBalance, 'previous'>) => void
  /** Judges all accounts, by stakes that were read anew. */
  readonly applyAll: () => void
  /** A node is about to begin. True if it is held until its balance is read, as the first 200 are. */
  readonly expect: (account: Address) => boolean
  /** Nodes that were held until their balance was read, also those that are not any more. */
  readonly expected: () => number
  readonly releaseAwaited: () => void
  /** Releases nodes that wait for their balance; later ones do not wait. */
  readonly overdue: () => void
  /** Accounts that need a larger balance and were read longest ago; from now on they are the last ones. */
  readonly nextLow: (count: number) => readonly Address[]
}

/** Rewards of all accounts that can still be taken back. */
const REWARDS_REMEMBERED = 16_384

export function createAccountUpdates(parameters: {
  readonly terms: Pick<MiningTerms, 'tokenId'>
  readonly mineBelowStake: boolean
  readonly accounts: () => Iterable<Address>
  /** Keeps a node away from the gateway, or lets it go with null. */
  readonly hold: (account: Address, reason: HoldReason | null) => void
  readonly emit: (event: FleetEvent) => void
}): AccountUpdates {
  const { terms, mineBelowStake, accounts, hold, emit } = parameters
  let state = noAccounts({ tokenId: terms.tokenId, mineBelowStake })
  const isCounted = rememberCounted(REWARDS_REMEMBERED)
  let expected = 0
  let isApiOverdue = false

  /** Holds a node for the reason that there is now, or lets it go. */
  function apply(account: Address): void {
    const reason = holdOf(state, account)
    if (reason !== null) state.held.add(account)
    if (reason !== null || state.held.delete(account)) hold(account, reason)
  }

  function releaseAwaited(): void {
    const before = [...state.awaited]
    state.awaited.clear()
    for (const account of before) apply(account)
  }

  const doubt = (): Doubt | null => state.network.doubt ?? state.said.doubt

  return {
    state: () => state,
    change: (changes) => {
      state = { ...state, ...changes }
    },
    doubt,
    age: () => {
      state = aged(state)
    },
    count: ({ id: _, ...reward }, by) => {
      if (isCounted(reward, by)) state = counted(state, reward, by)
      const type = isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded'
      emit({ type: by === 1 ? type : 'reverted', ...reward })
    },
    balanceRead: (address, read) => {
      const before = keepBalance(state, address, read)
      state.awaited.delete(address)
      noteStake(state, address)
      apply(address)
      if (before?.amount === read.amount && before.isKnown === read.isKnown) return
      emit({ type: 'balanceChanged', address, ...read, previous: before?.amount ?? null })
    },
    applyAll: () => {
      for (const account of accounts()) {
        noteStake(state, account)
        apply(account)
      }
    },
    expect: (account) => {
      const isRoom = !isApiOverdue && expected < READ_IN_TURN
      const isAwaited = isRoom && !mineBelowStake && state.stakes !== null && doubt() === null
      if (isAwaited) {
        expected++
        state.awaited.add(account)
      }
      apply(account)
      return isAwaited
    },
    expected: () => expected,
    releaseAwaited,
    overdue: () => {
      isApiOverdue = true
      releaseAwaited()
    },
    nextLow: (count) => {
      const next = [...state.low].slice(0, count)
      for (const account of next) {
        state.low.delete(account)
        state.low.add(account)
      }
      return next
    },
  }
}

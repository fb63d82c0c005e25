import type { Address, TokenId } from '@hailstone/protocol'
import { type ApiView, NOTHING_SAID } from '../api-view.ts'
import { asSentence } from '../health/session-obstacle.ts'
import { holdReason } from '../hold-reason.ts'
import { blockingWarning, miningState, notChosenYet } from '../mining-state.ts'
import {
  isBelowStake,
  type MiningWarning,
  minimumStakeText,
  type StakeFacts,
  warningIf,
} from '../readiness.ts'
import type { Explanation } from '../session/describe-session.ts'
import type { HoldReason } from '../session/state.ts'
import { type MiningSnapshot, type Reading, type RewardTotal, withReward } from '../store/mining-snapshot.ts'
import { NOBODY_MINED, type OthersMined } from '../watchers/follow-others.ts'
import type { FleetReward } from './rewards-of-macroblock.ts'

/** Balance, earnings and warnings of one account. */
export type AccountView = {
  /** Null until it was read. */
  readonly balance: MiningSnapshot['balance']
  /** Since the fleet was started. */
  readonly rewards: readonly RewardTotal[]
  /** Reasons why this account, or the whole fleet, does not earn. */
  readonly warnings: readonly MiningWarning[]
}

/** All accounts of a fleet together. */
export type AccountTotals = {
  /** The mined token. */
  readonly tokenId: TokenId
  /** Accounts whose balance was read. */
  readonly read: number
  /** Sum of those balances, in units of the mined token. */
  readonly balance: bigint
  /** Accounts whose balance is below the minimum. */
  readonly belowStake: number
  /** Of those, accounts that hold back because of it. */
  readonly heldBack: number
  /** Since the fleet was started. */
  readonly rewards: readonly RewardTotal[]
  /** Requirements of the network for a miner; null until they were read. */
  readonly stakes: (StakeFacts & Reading) | null
  /** Macroblocks mined outside the fleet since the fleet was last offered a microblock. */
  readonly othersMined: OthersMined
  /** Reasons why the whole fleet does not earn. */
  readonly warnings: readonly MiningWarning[]
}

/** What was read of one account. */
type Known = {
  readonly balance: Omit<NonNullable<MiningSnapshot['balance']>, 'isStale'> | null
  readonly rewards: readonly RewardTotal[]
  /** That of the state when the balance was read. */
  readonly age: number
}

const UNKNOWN: Known = { balance: null, rewards: [], age: 0 }

/**
 * What is known of a fleet's accounts. The map and the sets are changed in place: with ten thousand accounts they are not
 * copied for each.
 */
export type AccountsState = {
  readonly tokenId: TokenId
  readonly mineBelowStake: boolean
  readonly known: Map<Address, Known>
  /** Nodes that wait until their balance is read. */
  readonly awaited: Set<Address>
  /** Accounts that mine only with a larger balance, the one that was read longest ago first. */
  readonly low: Set<Address>
  /** Nodes that are kept away from the gateway, for whatever reason. */
  readonly held: Set<Address>
  readonly rewards: readonly RewardTotal[]
  readonly stakes: (StakeFacts & Reading) | null
  /** About the whole fleet, by its stakes. */
  readonly warnings: readonly MiningWarning[]
  /** Says that the gateways are ahead of the API; null while they are not. */
  readonly behind: string | null
  /** What the API says of the token that is mined. */
  readonly said: ApiView
  /** What the API says of the network. */
  readonly network: ApiView
  readonly othersMined: OthersMined
  readonly isNewestRefused: boolean
  /** Counts how often everything became stale; what was read under another number is. */
  readonly age: number
}

export const noAccounts = (settings: Pick<AccountsState, 'tokenId' | 'mineBelowStake'>): AccountsState => ({
  ...settings,
  known: new Map(),
  awaited: new Set(),
  low: new Set(),
  held: new Set(),
  rewards: [],
  stakes: null,
  warnings: [],
  behind: null,
  said: NOTHING_SAID,
  network: NOTHING_SAID,
  othersMined: NOBODY_MINED,
  isNewestRefused: false,
  age: 0,
})

const knownOf = ({ known }: AccountsState, account: Address): Known => known.get(account) ?? UNKNOWN

/** Keeps earlier readings and marks them stale. */
export const aged = (state: AccountsState): AccountsState => ({
  ...state,
  age: state.age + 1,
  stakes: state.stakes && { ...state.stakes, isStale: true },
})

/** Adds a reward, or takes one away. */
export function counted(state: AccountsState, reward: FleetReward, by: 1 | -1): AccountsState {
  const account = knownOf(state, reward.address)
  state.known.set(reward.address, { ...account, rewards: withReward(account.rewards, reward, by) })
  return { ...state, rewards: withReward(state.rewards, reward, by) }
}

/** Keeps a balance. Returns the one before; null for the first. */
export function keepBalance(
  state: AccountsState,
  account: Address,
  read: NonNullable<Known['balance']>,
): Known['balance'] {
  const known = knownOf(state, account)
  const { amount, isKnown, decimals, source, height, readAtMs } = read
  // The texts are shared: each answer brings copies of its own.
  const symbol = read.symbol === known.balance?.symbol ? known.balance?.symbol : read.symbol
  const balance = { amount, isKnown, decimals, symbol, source, height, readAtMs }
  state.known.set(account, { ...known, balance, age: state.age })
  return known.balance
}

/** Warnings that concern all accounts. */
const sharedWarnings = ({ warnings, behind }: AccountsState): readonly MiningWarning[] =>
  behind === null ? warnings : [...warnings, { code: 'API_BEHIND', message: behind }]

/** In words that are the same for all accounts, so that they can be counted together. */
const warningsFor = (state: AccountsState, balance: Known['balance']): readonly MiningWarning[] => [
  ...sharedWarnings(state),
  ...warningIf(
    isBelowStake(state.stakes?.token, balance),
    'STAKE_TOO_LOW',
    `The stake is below the minimum of ${minimumStakeText(state.stakes)}.`,
  ),
]

/** Notes whether an account needs a larger balance to mine. */
export function noteStake(state: AccountsState, account: Address): void {
  const { low, stakes, mineBelowStake } = state
  const isLow = !mineBelowStake && isBelowStake(stakes?.token, knownOf(state, account).balance)
  if (isLow) low.add(account)
  else low.delete(account)
}

/** Why a node does not connect to the gateway, by the same rules as one that mines alone; null if it may. */
export function holdOf(state: AccountsState, account: Address): HoldReason | null {
  const { awaited, stakes, mineBelowStake, said, network } = state
  const { balance } = knownOf(state, account)
  const facts = {
    isTokenKnown: true,
    hasPreset: true,
    isApiOverdue: !awaited.has(account),
    mineBelowStake,
    token: said,
    network,
  }
  return holdReason(facts, {
    api: { status: 'unknown', why: '' },
    stakes,
    balance: balance && { ...balance, isStale: false },
    lastError: null,
    warnings: warningsFor(state, balance),
  })
}

export function viewOf(state: AccountsState, account: Address): AccountView {
  const { balance, rewards, age } = knownOf(state, account)
  const isStale = age !== state.age
  return { balance: balance && { ...balance, isStale }, rewards, warnings: warningsFor(state, balance) }
}

export function totalsOf(state: AccountsState): AccountTotals {
  const { tokenId, known, low, rewards, stakes, othersMined } = state
  const warnings = sharedWarnings(state)
  let [read, sum, belowStake] = [0, 0n, 0]
  for (const { balance } of known.values()) {
    if (balance === null) continue
    read++
    sum += balance.amount
    if (isBelowStake(stakes?.token, balance)) belowStake++
  }
  return {
    tokenId,
    read,
    balance: sum,
    belowStake,
    heldBack: low.size,
    rewards,
    stakes,
    othersMined,
    warnings,
  }
}

const SIBLINGS_CHOSEN = 'not chosen yet: other miners of this fleet were'

/** Explains why a node of the fleet has nothing to sign. */
export function explanationOf(
  state: AccountsState,
  account: Address,
  areOthersOfFleetMining: boolean,
): Explanation {
  const { stakes: facts, othersMined } = state
  const { balance } = knownOf(state, account)
  const { why, nextStep } = miningState({
    session: { status: 'waitingForBeacon', since: 0 },
    facts,
    warnings: warningsFor(state, balance),
    isBalanceKnown: balance !== null,
    refusal: null,
    othersMined,
  })
  const isChance = nextStep === '' && othersMined.microblocks === 0 && areOthersOfFleetMining
  return { why: isChance ? SIBLINGS_CHOSEN : why, nextStep }
}

/** Sentence for a fleet without beacons because other miners were selected; null if that is not the reason or not known. */
export function notChosenOf(state: AccountsState): string | null {
  const { known, stakes, warnings, othersMined, isNewestRefused } = state
  if (othersMined.microblocks === 0 || isNewestRefused || stakes === null) return null
  if (blockingWarning(warnings) !== undefined) return null
  for (const { balance } of known.values()) {
    if (balance !== null && !isBelowStake(stakes.token, balance)) return asSentence(notChosenYet(othersMined))
  }
  return null
}

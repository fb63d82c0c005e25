import type { Client } from '@hailstone/client'
import type { Address, Hash, NodeError, TokenId } from '@hailstone/protocol'
import { asSentence } from '../health/session-obstacle.ts'
import { blockingWarning, miningState, notChosenYet } from '../mining-state.ts'
import {
  type MiningWarning,
  minimumStakeText,
  readStakeFacts,
  type StakeFacts,
  warningIf,
  warningsOf,
} from '../readiness.ts'
import type { Explanation } from '../session/describe-session.ts'
import { type MiningSnapshot, type Reading, type RewardTotal, withReward } from '../store/mining-snapshot.ts'
import { followTip } from '../watchers/chain-tip.ts'
import { followOthers, NOBODY_MINED, type OthersMined } from '../watchers/follow-others.ts'
import { onDemand } from '../watchers/repeat.ts'
import { isReferral } from '../watchers/reward.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import { detached } from './detached.ts'
import { followFleetBalances } from './fleet-balances.ts'
import type { FleetEvent } from './fleet-events.ts'
import { type FleetReward, followFleetRewards } from './fleet-rewards.ts'
import type { MiningTerms } from './signer-pool.ts'

/** What is known of one account. */
export type AccountView = {
  /** Null until it was read. */
  readonly balance: MiningSnapshot['balance']
  /** Since the fleet was started. */
  readonly rewards: readonly RewardTotal[]
  /** What keeps this account, or the whole fleet, from earning. */
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
  /** Since the fleet was started. */
  readonly rewards: readonly RewardTotal[]
  /** What the network asks of a miner; null until it was read. */
  readonly stakes: (StakeFacts & Reading) | null
  /** What miners outside the fleet mined since the fleet was last offered a microblock. */
  readonly othersMined: OthersMined
  /** What keeps the whole fleet from earning. */
  readonly warnings: readonly MiningWarning[]
}

/** What a fleet learns of its accounts through the API. */
export type FleetAccounts = Watch & {
  /** All keys were read. */
  readonly begin: () => void
  readonly view: (account: Address) => AccountView
  readonly totals: () => AccountTotals
  /** Why a node of the fleet has nothing to sign. */
  readonly explain: (account: Address, areOthersOfFleetMining: boolean) => Explanation
  /** One sentence when the fleet has no beacon because others were chosen; null otherwise, and when that is not known. */
  readonly notChosen: () => string | null
  /** A beacon came, or the first session began: what others mined before does not count. */
  readonly offered: (keyBlockHash: Hash | undefined) => void
  /** The newest beacon was refused. */
  readonly refused: () => void
}

type Known = {
  balance: Omit<NonNullable<MiningSnapshot['balance']>, 'isStale'> | null
  rewards: readonly RewardTotal[]
}

/** Macroblocks after which stakes are looked at again. */
const FACTS_EVERY_MACROBLOCKS = 40

/**
 * Follows rewards, balances and stakes of a fleet. Rewards are found in the chain and stakes are asked for once, so that
 * requests do not grow with the number of accounts; balances are read in turn.
 */
export function followFleetAccounts(parameters: {
  readonly client: Client
  readonly terms: MiningTerms
  readonly isTokenChosen: boolean
  readonly pollIntervalMs: number
  readonly accounts: () => Iterable<Address>
  readonly size: () => number
  readonly isOurs: (account: Address) => boolean
  /** True if a node of the fleet published the microblock. */
  readonly isPublished: (microblockHash: Hash) => boolean
  readonly emit: (event: FleetEvent) => void
  readonly onError: (error: NodeError) => void
}): FleetAccounts {
  const { client, terms, isTokenChosen, isOurs, isPublished, emit, onError } = parameters
  const { tokenId, referralAgent } = terms
  const known = new Map<Address, Known>()
  let rewards: readonly RewardTotal[] = []
  let stakes: (StakeFacts & Reading) | null = null
  let warnings: readonly MiningWarning[] = []
  let othersMined = NOBODY_MINED
  /** Of the first beacon. */
  let openKeyBlock: Hash | undefined
  let isNewestRefused = false
  /** What was read up to then, in Unix milliseconds, is old. */
  let staleSinceMs = 0
  let macroblocks = 0

  function knownOf(account: Address): Known {
    const found = known.get(account)
    if (found !== undefined) return found
    const fresh: Known = { balance: null, rewards: [] }
    known.set(account, fresh)
    return fresh
  }

  function count(reward: FleetReward, by: 1 | -1): void {
    const account = knownOf(reward.address)
    account.rewards = withReward(account.rewards, reward, by)
    rewards = withReward(rewards, reward, by)
    balances.readNow(reward.address)
  }

  function age(): void {
    staleSinceMs = client.clock.now()
    if (stakes !== null) stakes = { ...stakes, isStale: true }
  }

  async function readStakes(signal: AbortSignal): Promise<void> {
    const { core, stamp } = tip.place()
    const facts = await readStakeFacts(core, { tokenId, referralAgent }, signal)
    stakes = { ...facts, ...stamp(), isStale: false }
    warnings = warningsOf({ facts, tokenId, isTokenChosen, balance: null })
  }

  const followed = followFleetRewards({
    ...parameters,
    openKeyBlock: () => openKeyBlock,
    onReward: (reward) => {
      count(reward, 1)
      emit({ type: isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded', ...reward })
    },
    onReverted: (reward) => {
      count(reward, -1)
      emit({ type: 'reverted', ...reward })
    },
  })

  const balances = followFleetBalances({
    ...parameters,
    tokenId,
    onRead: (address, read) => {
      const account = knownOf(address)
      const before = account.balance
      const { amount, isKnown, decimals, source, height, readAtMs } = read
      // The texts are shared: each answer brings copies of its own.
      const symbol = read.symbol === before?.symbol ? before?.symbol : read.symbol
      account.balance = { amount, isKnown, decimals, symbol, source, height, readAtMs }
      if (before?.amount === amount && before.isKnown === isKnown) return
      emit({ type: 'balanceChanged', address, ...read, previous: before?.amount ?? null })
    },
  })

  const others = followOthers({
    client,
    isOurs: isPublished,
    isOurAccount: isOurs,
    onCount: (mined) => {
      othersMined = mined
    },
    onError,
  })

  const checkingStakes = onDemand({ ...parameters, task: readStakes })
  const tip = followTip(client, {
    pollIntervalMs: parameters.pollIntervalMs,
    onError: age,
    onAnswer: ({ isStale }) => {
      if (isStale) age()
    },
    onReverted: age,
    onCalculated: (macroblock) => {
      others.calculated(macroblock)
      if (++macroblocks % FACTS_EVERY_MACROBLOCKS === 0) checkingStakes.trigger()
    },
  })
  checkingStakes.trigger()

  const isBelowStake = (amount: bigint | undefined): boolean =>
    amount !== undefined && amount < (stakes?.token?.minimumStake ?? 0n)

  /** In words that are the same for all accounts, so that they can be counted together. */
  const warningsFor = (balance: Known['balance']): readonly MiningWarning[] => [
    ...warnings,
    ...warningIf(
      isBelowStake(balance?.amount),
      'STAKE_TOO_LOW',
      `The stake is below the minimum of ${minimumStakeText(stakes)}.`,
    ),
  ]

  const { stop } = watchHandle(tip.leave, followed.stop, balances.stop, others.stop, checkingStakes.stop)

  return {
    ...watchHandle(stop),
    begin: balances.begin,
    offered: (keyBlockHash) => {
      if (keyBlockHash !== undefined) openKeyBlock ??= detached(keyBlockHash)
      others.reset()
      isNewestRefused = false
    },
    refused: () => {
      isNewestRefused = true
    },
    view: (address) => {
      const { balance = null, rewards: earned = [] } = known.get(address) ?? {}
      const isStale = (balance?.readAtMs ?? 0) <= staleSinceMs
      return { balance: balance && { ...balance, isStale }, rewards: earned, warnings: warningsFor(balance) }
    },
    totals: () => {
      let [read, balance, belowStake] = [0, 0n, 0]
      for (const { balance: one } of known.values()) {
        if (one === null) continue
        read++
        balance += one.amount
        if (isBelowStake(one.amount)) belowStake++
      }
      return { tokenId, read, balance, belowStake, rewards, stakes, othersMined, warnings }
    },
    explain: (address, areOthersOfFleetMining) => {
      const balance = known.get(address)?.balance ?? null
      const { why, nextStep } = miningState({
        session: { status: 'waitingForBeacon', since: 0 },
        facts: stakes,
        warnings: warningsFor(balance),
        isBalanceKnown: balance !== null,
        refusal: null,
        othersMined,
      })
      const isChance = nextStep === '' && othersMined.microblocks === 0 && areOthersOfFleetMining
      return { why: isChance ? SIBLINGS_CHOSEN : why, nextStep }
    },
    notChosen: () => {
      if (othersMined.microblocks === 0 || isNewestRefused || stakes === null) return null
      if (blockingWarning(warnings) !== undefined) return null
      for (const { balance } of known.values()) {
        if (balance !== null && !isBelowStake(balance.amount)) return asSentence(notChosenYet(othersMined))
      }
      return null
    },
  }
}

const SIBLINGS_CHOSEN = 'not chosen yet: other miners of this fleet were'

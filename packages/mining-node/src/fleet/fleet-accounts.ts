import type { Client } from '@hailstone/client'
import type { Address, Hash, NodeError, TokenId } from '@hailstone/protocol'
import { endOf, heard, NOTHING_SAID, untilYes } from '../api-view.ts'
import { asSentence } from '../health/session-obstacle.ts'
import { tokenDoubt } from '../hold-reason.ts'
import { blockingWarning, miningState, notChosenYet } from '../mining-state.ts'
import {
  clause,
  isRefusal,
  type MiningWarning,
  minimumStakeText,
  readStakeFacts,
  type StakeFacts,
  warningIf,
  warningsOf,
} from '../readiness.ts'
import { onDemand } from '../repeat.ts'
import type { Explanation } from '../session/describe-session.ts'
import type { Doubt, HoldReason, StopReason } from '../session/state.ts'
import {
  type MiningSnapshot,
  type Reading,
  type RewardTotal,
  rememberCounted,
  withReward,
} from '../store/mining-snapshot.ts'
import { followTip } from '../watchers/chain-tip.ts'
import { isReferral } from '../watchers/explain-reward.ts'
import { followOthers, NOBODY_MINED, type OthersMined } from '../watchers/follow-others.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import { detached } from './detached.ts'
import { followFleetBalances, READ_IN_TURN } from './fleet-balances.ts'
import type { FleetEvent } from './fleet-events.ts'
import { followFleetRewards } from './fleet-rewards.ts'
import { rememberedJourney } from './journey-store.ts'
import type { FleetReward } from './rewards-of-macroblock.ts'
import type { MiningTerms } from './signer-pool.ts'

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

/** Accounts of a fleet as the API reports them. */
export type FleetAccounts = Watch & {
  /** Resolves when the stakes were read, when the API failed to name them, or when it is overdue. */
  readonly stakesRead: () => Promise<void>
  /** A node is about to begin. Of the first 200 the balance is read before they connect. */
  readonly expect: (account: Address) => void
  /** All keys were read. */
  readonly begin: () => void
  /** Releases nodes that wait for their balance. Nodes added later start without waiting. */
  readonly onApiOverdue: () => void
  /** The gateway cuts this account off: what it has and what is asked are read anew. */
  readonly check: (account: Address) => void
  readonly view: (account: Address) => AccountView
  readonly totals: () => AccountTotals
  /** Holds the whole fleet back; null if nothing does. */
  readonly doubt: () => Doubt | null
  /** Explains why a node of the fleet has nothing to sign. */
  readonly explain: (account: Address, areOthersOfFleetMining: boolean) => Explanation
  /** Sentence for a fleet without beacons because other miners were selected; null if that is not the reason or not known. */
  readonly notChosen: () => string | null
  /** A beacon came, or the first session began: what others mined before does not count. */
  readonly offered: () => void
  /** A node published a microblock of this key block. */
  readonly published: (keyBlockHash: Hash) => void
  /** The newest beacon was refused. */
  readonly refused: () => void
}

type Known = {
  balance: Omit<NonNullable<MiningSnapshot['balance']>, 'isStale'> | null
  rewards: readonly RewardTotal[]
}

/** Rewards of all accounts that can still be taken back. */
const REWARDS_REMEMBERED = 16_384
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
  readonly pollIntervalMs: number | undefined
  readonly accounts: () => Iterable<Address>
  readonly size: () => number
  readonly isOurs: (account: Address) => boolean
  /** True if a node of the fleet published the microblock. */
  readonly isPublished: (microblockHash: Hash) => boolean
  /** Says that the gateways are ahead of the API; null while they are not. */
  readonly behind: () => string | null
  readonly mineBelowStake: boolean
  /** Keeps a node away from the gateway, or lets it go with null. */
  readonly hold: (account: Address, reason: HoldReason | null) => void
  /** The API says again and again that the token cannot be mined, and never said otherwise. */
  readonly onTokenRefused: (reason: StopReason) => void
  readonly emit: (event: FleetEvent) => void
  readonly onError: (error: NodeError) => void
}): FleetAccounts {
  const { client, terms, isTokenChosen, isOurs, isPublished, mineBelowStake, hold, emit } = parameters
  const { tokenId, referralAgent } = terms
  const known = new Map<Address, Known>()
  const isCounted = rememberCounted(REWARDS_REMEMBERED)
  let rewards: readonly RewardTotal[] = []
  let stakes: (StakeFacts & Reading) | null = null
  let warnings: readonly MiningWarning[] = []
  let othersMined = NOBODY_MINED
  /** Of the first publication: a beacon that was not checked can name any key block. */
  let openKeyBlock: Hash | undefined
  let isNewestRefused = false
  /** Values read before this time are stale, in Unix milliseconds. */
  let staleSinceMs = 0
  let macroblocks = 0
  /** Nodes that wait until their balance is read. */
  const awaited = new Set<Address>()
  /** Nodes that hold back, the one that was read longest ago first. */
  const low = new Set<Address>()
  let expected = 0
  let isApiOverdue = false
  /** What the API says of the token that is mined. */
  let said = NOTHING_SAID
  /** Holds all nodes back, whatever is known of each. */
  let doubt: Doubt | null = null
  let resolveStakes: () => void = () => undefined
  const stakesReading = new Promise<void>((resolve) => {
    resolveStakes = resolve
  })

  /** Releases what waits for the API. */
  function releaseAwaited(): void {
    resolveStakes()
    for (const account of awaited) if (doubt === null) hold(account, null)
    awaited.clear()
  }

  function onError(error: NodeError): void {
    releaseAwaited()
    parameters.onError(error)
  }

  /** Holds or releases a node by its stake: publications below the minimum are refused (PROTOCOL 5.8). */
  function judge(account: Address): void {
    const isLow = !mineBelowStake && isBelowStake(known.get(account)?.balance?.amount)
    const wasHeld = awaited.delete(account) || low.has(account)
    if (isLow) low.add(account)
    else low.delete(account)
    if (doubt !== null) return
    if (isLow) hold(account, { kind: 'stakeTooLow', detail: clause(lowStake()) })
    else if (wasHeld) hold(account, null)
  }

  /** Holds all nodes back, or leaves each to what its own stake says. */
  function doubted(now: Doubt | null): void {
    const before = doubt
    doubt = now
    if (now === null && before === null) return
    for (const account of parameters.accounts()) {
      if (now !== null) hold(account, now)
      else {
        judge(account)
        if (!low.has(account)) hold(account, null)
      }
    }
  }

  /** Balances of those that hold back are looked at again at every macroblock, 200 at most. */
  function readLow(): void {
    for (const account of [...low].slice(0, READ_IN_TURN)) {
      low.delete(account)
      low.add(account)
      balances.readNow(account)
    }
  }

  function knownOf(account: Address): Known {
    const found = known.get(account)
    if (found !== undefined) return found
    const fresh: Known = { balance: null, rewards: [] }
    known.set(account, fresh)
    return fresh
  }

  function count(reward: FleetReward, by: 1 | -1): void {
    balances.readNow(reward.address)
    if (!isCounted(reward, by)) return
    const account = knownOf(reward.address)
    account.rewards = withReward(account.rewards, reward, by)
    rewards = withReward(rewards, reward, by)
  }

  function age(): void {
    staleSinceMs = client.clock.now()
    if (stakes !== null) stakes = { ...stakes, isStale: true }
  }

  async function readStakes(signal: AbortSignal): Promise<boolean> {
    const { core, stamp } = tip.place()
    const { answer: facts, sources } = await untilYes(
      core,
      (one) => readStakeFacts(one, { tokenId, referralAgent }, signal),
      isRefusal,
      client.transport.nodes?.(),
    )
    if (signal.aborted) return false
    stakes = { ...facts, ...stamp(), isStale: false }
    warnings = warningsOf({ facts, tokenId, isTokenChosen, balance: null })
    said = heard(said, {
      doubt: tokenDoubt(warnings, sources),
      sources,
      atMs: client.clock.monotonicMs(),
    })
    const end = endOf(said)
    if (end !== null) parameters.onTokenRefused(end)
    else doubted(said.doubt)
    if (said.doubt === null) for (const [account, { balance }] of known) if (balance !== null) judge(account)
    resolveStakes()
    return said.doubt !== null && end === null
  }

  const followed = followFleetRewards({
    ...parameters,
    onError,
    store: rememberedJourney(),
    areAccountsKnown: () => true,
    openKeyBlock: () => openKeyBlock,
    onReward: ({ id: _, ...reward }) => {
      count(reward, 1)
      emit({ type: isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded', ...reward })
    },
    onReverted: ({ id: _, ...reward }) => {
      count(reward, -1)
      emit({ type: 'reverted', ...reward })
    },
  })

  const balances = followFleetBalances({
    ...parameters,
    onError,
    tokenId,
    onRead: (address, read) => {
      const account = knownOf(address)
      const before = account.balance
      const { amount, isKnown, decimals, source, height, readAtMs } = read
      // The texts are shared: each answer brings copies of its own.
      const symbol = read.symbol === before?.symbol ? before?.symbol : read.symbol
      account.balance = { amount, isKnown, decimals, symbol, source, height, readAtMs }
      judge(address)
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

  const checkingStakes = onDemand({ ...parameters, onError, task: readStakes })
  const tip = followTip(client, {
    pollIntervalMs: parameters.pollIntervalMs,
    onError: age,
    onAnswer: ({ isStale }) => {
      if (isStale || parameters.behind() !== null) age()
    },
    onReverted: age,
    onHeight: () => {
      if (doubt !== null) checkingStakes.trigger()
    },
    onCalculated: (macroblock) => {
      others.calculated(macroblock)
      if (++macroblocks % FACTS_EVERY_MACROBLOCKS === 0) checkingStakes.trigger()
      readLow()
    },
  })
  checkingStakes.trigger()

  const lowStake = (): string => `The stake is below the minimum of ${minimumStakeText(stakes)}.`

  const isBelowStake = (amount: bigint | undefined): boolean =>
    amount !== undefined && amount < (stakes?.token?.minimumStake ?? 0n)

  /** What concerns all accounts. */
  const shared = (): readonly MiningWarning[] => {
    const behind = parameters.behind()
    return behind === null ? warnings : [...warnings, { code: 'API_BEHIND', message: behind }]
  }

  /** In words that are the same for all accounts, so that they can be counted together. */
  const warningsFor = (balance: Known['balance']): readonly MiningWarning[] => [
    ...shared(),
    ...warningIf(isBelowStake(balance?.amount), 'STAKE_TOO_LOW', lowStake()),
  ]

  const { stop } = watchHandle(tip.leave, followed.stop, balances.stop, others.stop, checkingStakes.stop)

  return {
    ...watchHandle(stop),
    stakesRead: () => stakesReading,
    expect: (account) => {
      if (doubt !== null) return hold(account, doubt)
      if (mineBelowStake || isApiOverdue || stakes === null || expected === READ_IN_TURN) return
      expected++
      awaited.add(account)
      hold(account, { kind: 'stakeUnknown' })
      balances.readNow(account)
    },
    begin: () => balances.begin(expected),
    onApiOverdue: () => {
      isApiOverdue = true
      releaseAwaited()
    },
    check: (account) => {
      balances.readNow(account)
      checkingStakes.trigger()
    },
    published: (keyBlockHash) => {
      openKeyBlock ??= detached(keyBlockHash)
    },
    offered: () => {
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
    doubt: () => doubt,
    totals: () => {
      let [read, balance, belowStake] = [0, 0n, 0]
      for (const { balance: one } of known.values()) {
        if (one === null) continue
        read++
        balance += one.amount
        if (isBelowStake(one.amount)) belowStake++
      }
      return {
        tokenId,
        read,
        balance,
        belowStake,
        heldBack: low.size,
        rewards,
        stakes,
        othersMined,
        warnings: shared(),
      }
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

import { type ClientCore, getAgentInfo } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { untilYes } from './api-view.ts'
import type { CursorStore } from './cursors/cursor-store.ts'
import type { MiningEvent, MiningEvents } from './events.ts'
import { listenerReport } from './failure.ts'
import { isAhead, NO_LEAD, withNamed } from './key-block-lead.ts'
import { readNetwork } from './network-word.ts'
import {
  isContradicted,
  isRefusal,
  type ReadinessQuestion,
  readStakeFacts,
  type StakeFacts,
} from './readiness.ts'
import { onDemand } from './repeat.ts'
import { type FailurePlace, reportFailure } from './report-failure.ts'
import { rememberCounted, withReward } from './store/mining-snapshot.ts'
import { followTip } from './watchers/chain-tip.ts'
import { isReferral } from './watchers/explain-reward.ts'
import { followOthers } from './watchers/follow-others.ts'
import { followPublications } from './watchers/follow-publications.ts'
import type { Reward } from './watchers/reward.ts'
import { watchBalance } from './watchers/watch-balance.ts'
import { type Watch, watchHandle } from './watchers/watch-handle.ts'
import type { WatchMissedReferrals } from './watchers/watch-missed-referrals.ts'
import { watchRewards } from './watchers/watch-rewards.ts'
import { watchSeen } from './why/watch-seen.ts'

type Reading = 'height' | 'balance' | 'stakes' | 'rewardsReading'

/** Macroblocks after which stakes and agent are looked at again. */
const FACTS_EVERY_MACROBLOCKS = 40

/** Everything a node learns through the API about its account. */
export type FollowedAccount = Watch & {
  readonly published: (microblockHash: Hash, keyBlockHash: Hash) => void
  /** True if verified beacons name key blocks that the API does not know, while its height stands. */
  readonly isBehind: () => boolean
  /** Reads balance and stakes anew, and asks whether the network is the one that was named. */
  readonly check: () => void
  /** A beacon arrived, or the gateway was hailed: earlier macroblocks of others do not count. */
  readonly offered: () => void
  /** The gateway was hailed, or is lost. */
  readonly linked: (isNow: boolean) => void
  /** The gateway named a key block that was not seen before. */
  readonly keyBlockOpened: () => void
}

export type FollowAccountParameters = FailurePlace & {
  readonly client: ClientCore
  readonly question: ReadinessQuestion
  readonly pollIntervalMs: number | undefined
  readonly blockTimeMs: number
  /** Store of the positions up to which rewards and balance were reported. */
  readonly cursors?: CursorStore | undefined
  readonly followReferrals?: WatchMissedReferrals | undefined
  /** The key block of the first publication since the account is followed. */
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
  /** True if mining waits for a larger balance. It is then read at every macroblock, otherwise at every second. */
  readonly isStakeAwaited?: (() => boolean) | undefined
  /** Others mined. Called once for all macroblocks that a poll caught up with. */
  readonly onChainGrew: () => void
  /** A publication is included, or missed. */
  readonly onSettled?: ((isIncluded: boolean) => void) | undefined
  /** True while mining waits for the API to say otherwise of token or network: asked again and again. */
  readonly isDoubted?: (() => boolean) | undefined
  /** These API nodes said what the network wants of a miner; called before that is in the store. */
  readonly onStakesRead?: ((facts: StakeFacts, sources: readonly string[]) => void) | undefined
  /** These API nodes said which network they belong to: the one that was named, or another. */
  readonly onNetworkRead?: ((isRight: boolean, sources: readonly string[]) => void) | undefined
}

/** Feeds store and events from the API. Whatever fails is reported and repeated; no value falls back. */
export function followAccount(parameters: FollowAccountParameters): FollowedAccount {
  const { client, question, pollIntervalMs, blockTimeMs, store, events, cursors } = parameters
  const { address, tokenId } = question
  const isCounted = rememberCounted()
  let macroblocks = 0
  let isOtherNetwork = false
  let lead = NO_LEAD

  const cursorOf = (what: string) =>
    cursors && { store: cursors, name: `${what}:${client.network.name}:${address}` }

  const emit =
    <E extends MiningEvent>(event: E) =>
    (given: MiningEvents[E]): void =>
      events.emit(event, given)

  const failed = (error: NodeError): void => reportFailure(parameters, error)
  const isBehind = (): boolean => isAhead(lead, blockTimeMs)
  const isDoubted = (): boolean => parameters.isDoubted?.() === true

  /** Keeps earlier readings and marks them stale. */
  function age(...readings: readonly Reading[]): void {
    const snapshot = store.snapshot()
    for (const name of readings) {
      const value = snapshot[name]
      if (value?.isStale === false) store.update({ [name]: { ...value, isStale: true } })
    }
  }

  function ageBehind(): void {
    if (isBehind()) age('height', 'balance', 'rewardsReading')
  }

  const failedReading =
    (...readings: readonly Reading[]) =>
    (error: NodeError): void => {
      age(...readings)
      failed(error)
    }

  function count(name: 'included' | 'missed' | 'excluded', by: 1 | -1): void {
    const { publications } = store.snapshot()
    store.update({ publications: { ...publications, [name]: (publications[name] ?? 0) + by } })
  }

  function countReward(reward: Reward, by: 1 | -1): void {
    if (isCounted(reward, by)) store.update({ rewards: withReward(store.snapshot().rewards, reward, by) })
  }

  async function readStakes(signal: AbortSignal): Promise<boolean> {
    const { core, stamp } = tip.place()
    const { answer: facts, sources } = await untilYes(
      core,
      (one) => readStakeFacts(one, question, signal),
      isRefusal,
      client.transport.nodes?.(),
    )
    if (signal.aborted) return false
    parameters.onStakesRead?.(facts, sources)
    // The number of invited miners is read after the facts that mining waits for, as some servers have none; until then,
    // and where that fails, the last one stands.
    const { invitedMiners } = store.snapshot().stakes ?? {}
    const stakes = {
      ...facts,
      ...stamp(),
      isStale: false,
      ...(invitedMiners !== undefined && { invitedMiners }),
    }
    store.update({ stakes })
    const info = await getAgentInfo(core, { address, signal }).catch(() => undefined)
    if (info !== undefined && !signal.aborted)
      store.update({ stakes: { ...(store.snapshot().stakes ?? stakes), invitedMiners: info.referralCount } })
    return isDoubted()
  }

  async function checkNetwork(signal: AbortSignal): Promise<boolean> {
    const word = await readNetwork(client, signal)
    if (signal.aborted || word === null) return isDoubted()
    const { error, sources } = word
    const isRight = error === null
    if (!isRight && !isOtherNetwork) failed(error)
    isOtherNetwork = !isRight
    parameters.onNetworkRead?.(isRight, sources)
    return isDoubted()
  }

  function settled(isIncluded: boolean): void {
    count(isIncluded ? 'included' : 'missed', 1)
    parameters.onSettled?.(isIncluded)
  }

  const common = { client, address, pollIntervalMs, blockTimeMs, onError: failed }

  let missed: Watch | undefined
  guarded(
    () => {
      missed = parameters.followReferrals?.({ ...common, onMissed: emit('referralMissed') })
      return missed
    },
    listenerReport('followReferrals', { client, onError: failed }),
  )()
  const checkingStakes = onDemand({ ...common, onError: failedReading('stakes'), task: readStakes })
  const checkingNetwork = onDemand({ ...common, task: checkNetwork })

  const seen = watchSeen({ ...common, store })

  const tip = followTip(client, {
    pollIntervalMs,
    // Only the poll of the height decides whether the API is there: it is asked all the time.
    onError: (error) => {
      store.update({ api: { status: 'unreachable', why: error.message, error } })
      failedReading('height', 'balance', 'stakes', 'rewardsReading')(error)
    },
    onAnswer: ({ height: value, isStale, source }) => {
      if (value !== store.snapshot().height?.value) lead = NO_LEAD
      const minedAtMs = tip.place().at?.timeMs
      store.update({ height: { value, readAtMs: client.clock.now(), isStale, source, minedAtMs } })
      if (store.snapshot().api.status !== 'reachable') store.update({ api: { status: 'reachable', why: '' } })
      if (isStale) age('balance', 'stakes', 'rewardsReading')
      ageBehind()
      seen.readInTime()
    },
    onHeight: (tip) => {
      emit('heightChanged')(tip)
      if (isDoubted()) checkFacts()
    },
    // What was read before is of a chain that is no more, until it is read anew.
    onReverted: () => age('balance', 'rewardsReading'),
    onMined: parameters.onChainGrew,
    onCalculated: (macroblock) => {
      others.calculated(macroblock)
      if (++macroblocks % FACTS_EVERY_MACROBLOCKS === 0) checkingStakes.trigger()
      if (parameters.isStakeAwaited?.()) balance.readNow()
    },
  })

  const balance = watchBalance({
    ...common,
    tokenId,
    cursor: cursorOf(`balance:${tokenId}`),
    onError: failedReading('balance'),
    onRead: (read) => store.update({ balance: { ...read, isStale: isBehind() } }),
    onChange: emit('balanceChanged'),
  })

  const rewards = watchRewards({
    ...common,
    cursor: cursorOf('rewards'),
    openKeyBlock: parameters.openKeyBlock,
    onError: failedReading('rewardsReading'),
    onRead: (reading) => store.update({ rewardsReading: { ...reading, isStale: isBehind() } }),
    onReward: (reward) => {
      countReward(reward, 1)
      store.update({ lastReward: reward })
      if (isContradicted(store.snapshot().warnings, reward)) checkingStakes.trigger()
      events.emit(isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded', reward)
    },
    onReverted: (reward) => {
      countReward(reward, -1)
      events.emit('reverted', reward)
    },
  })

  const publications = followPublications({
    ...common,
    onFound: () => {
      balance.earned()
      rewards.earned()
    },
    onIncluded: (microblock) => {
      settled(true)
      events.emit('included', microblock)
    },
    onMissed: () => settled(false),
    onExcluded: () => {
      count('excluded', 1)
      count('included', -1)
    },
  })

  const others = followOthers({
    ...common,
    isOurs: publications.has,
    isOurAccount: (account) => account === address,
    onCount: (othersMined) => store.update({ othersMined }),
  })

  function checkFacts(): void {
    checkingStakes.trigger()
    checkingNetwork.trigger()
  }

  function check(): void {
    checkFacts()
    balance.readNow()
    tip.expect()
  }

  checkFacts()

  const stop = watchHandle(
    tip.leave,
    balance.stop,
    rewards.stop,
    publications.stop,
    others.stop,
    checkingStakes.stop,
    checkingNetwork.stop,
    seen.stop,
    async () => missed?.stop?.(),
  )
  return {
    ...stop,
    published: (microblockHash, keyBlockHash) => {
      publications.published(microblockHash)
      lead = withNamed(lead, { keyBlockHash, atMs: client.clock.monotonicMs() })
      ageBehind()
    },
    isBehind,
    check,
    offered: others.reset,
    linked: seen.linked,
    keyBlockOpened: tip.expect,
  }
}

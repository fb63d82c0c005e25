import { type ClientCore, getAgentInfo } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { untilYes } from './api-view.ts'
import { cursorsOfChain } from './cursors/chain-cursors.ts'
import type { CursorStore } from './cursors/cursor-store.ts'
import type { MiningEvent, MiningEvents } from './events.ts'
import { listenerReport } from './failure.ts'
import { behindOf, NO_LEAD, withGrowth, withNamed, withShown } from './key-block-lead.ts'
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
import { followTip, type ReadingPlace, type TipHeight } from './watchers/chain-tip.ts'
import { isReferral } from './watchers/explain-reward.ts'
import type { Began } from './watchers/first-open-block.ts'
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
  /** Says that verified beacons name key blocks long before the API shows them; null while they do not. */
  readonly behind: () => string | null
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
  readonly beganAtMs?: Began['beganAtMs']
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

/** Emits events of one kind. */
const emitting =
  ({ events }: FailurePlace) =>
  <E extends MiningEvent>(event: E) =>
  (given: MiningEvents[E]): void =>
    events.emit(event, given)

/** What is known of an account: in the store, and in what beacons named. */
function createAccountBook(parameters: FollowAccountParameters) {
  const { client, blockTimeMs, store, events } = parameters
  const { monotonicMs } = client.clock
  const isCounted = rememberCounted()
  let lead = NO_LEAD

  function behind(): string | null {
    const source = store.snapshot().height?.source
    return source === undefined ? null : behindOf(lead, { blockTimeMs, source })
  }

  /** Keeps earlier readings and marks them stale. */
  function age(...readings: readonly Reading[]): void {
    const snapshot = store.snapshot()
    for (const name of readings) {
      const value = snapshot[name]
      if (value?.isStale === false) store.update({ [name]: { ...value, isStale: true } })
    }
  }

  function count(name: 'included' | 'missed' | 'excluded', by: 1 | -1): void {
    const { publications } = store.snapshot()
    store.update({ publications: { ...publications, [name]: (publications[name] ?? 0) + by } })
  }

  function countReward(reward: Reward, by: 1 | -1): void {
    if (isCounted(reward, by)) store.update({ rewards: withReward(store.snapshot().rewards, reward, by) })
  }

  function ageBehind(): void {
    if (behind() !== null) age('height', 'balance', 'rewardsReading')
  }

  return {
    ...{ behind, age },
    isStale: () => behind() !== null,
    failedReading:
      (...readings: readonly Reading[]) =>
      (error: NodeError): void => {
        age(...readings)
        reportFailure(parameters, error)
      },
    /** Only the poll of the height decides whether the API is there: it is asked all the time. */
    failedTip: (error: NodeError): void => {
      store.update({ api: { status: 'unreachable', why: error.message, error } })
      age('height', 'balance', 'stakes', 'rewardsReading')
      reportFailure(parameters, error)
    },
    tipRead: ({ height: value, isStale, source }: TipHeight, minedAtMs: number | undefined): void => {
      if (value !== store.snapshot().height?.value) lead = withGrowth(lead)
      store.update({ height: { value, readAtMs: client.clock.now(), isStale, source, minedAtMs } })
      if (store.snapshot().api.status !== 'reachable') store.update({ api: { status: 'reachable', why: '' } })
      if (isStale) age('balance', 'stakes', 'rewardsReading')
      ageBehind()
    },
    shown: (keyBlockHash: Hash): void => {
      lead = withShown(lead, keyBlockHash)
    },
    named: (keyBlockHash: Hash, isShown: boolean): void => {
      lead = withNamed(lead, { keyBlockHash, isShown, atMs: monotonicMs() })
      ageBehind()
    },
    settled: (isIncluded: boolean, wasMissed?: boolean): void => {
      if (wasMissed) count('missed', -1)
      count(isIncluded ? 'included' : 'missed', 1)
      parameters.onSettled?.(isIncluded)
    },
    excluded: (): void => {
      count('excluded', 1)
      count('included', -1)
    },
    rewarded: (reward: Reward): void => {
      countReward(reward, 1)
      store.update({ lastReward: reward })
      events.emit(isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded', reward)
    },
    reverted: (reward: Reward): void => {
      countReward(reward, -1)
      events.emit('reverted', reward)
    },
  }
}

/** What the network wants of a miner, and which one it is: read at once, on demand, and while either is doubted. */
function followFacts(
  parameters: FollowAccountParameters,
  { place, failedStakes }: { place: () => ReadingPlace; failedStakes: (error: NodeError) => void },
) {
  const { client, question, pollIntervalMs, store } = parameters
  const { address } = question
  let isOtherNetwork = false
  const isDoubted = (): boolean => parameters.isDoubted?.() === true
  const failed = (error: NodeError): void => reportFailure(parameters, error)

  async function readStakes(signal: AbortSignal): Promise<boolean> {
    const { core, stamp } = place()
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
    if (error !== null && !isOtherNetwork) failed(error)
    isOtherNetwork = error !== null
    parameters.onNetworkRead?.(error === null, sources)
    return isDoubted()
  }

  const common = { client, pollIntervalMs }
  const stakes = onDemand({ ...common, onError: failedStakes, task: readStakes })
  const network = onDemand({ ...common, onError: failed, task: checkNetwork })
  function check(): void {
    stakes.trigger()
    network.trigger()
  }
  return { ...watchHandle(stakes.stop, network.stop), isDoubted, check, readStakes: stakes.trigger }
}

/** Starts the watch of referral rewards that the account missed, which is the program's own. */
function followMissed(
  parameters: FollowAccountParameters,
  common: Omit<Parameters<WatchMissedReferrals>[0], 'onMissed'>,
): () => Promise<void> {
  let missed: Watch | undefined
  const begin = (): Watch | undefined => {
    missed = parameters.followReferrals?.({ ...common, onMissed: emitting(parameters)('referralMissed') })
    return missed
  }
  guarded(begin, listenerReport('followReferrals', common))()
  return async () => missed?.stop?.()
}

/** Feeds store and events from the API. Whatever fails is reported and repeated; no value falls back. */
export function followAccount(parameters: FollowAccountParameters): FollowedAccount {
  const { client, question, pollIntervalMs, blockTimeMs, store, events, cursors } = parameters
  const { address, tokenId } = question
  const book = createAccountBook(parameters)
  const emit = emitting(parameters)
  const ended = new AbortController()
  const ofChain = cursors && cursorsOfChain({ store: cursors, client, signal: ended.signal })
  const cursorOf = (what: string) => ofChain && { store: ofChain, name: `${what}:${address}` }
  const onError = (error: NodeError): void => reportFailure(parameters, error)
  const common = { client, address, pollIntervalMs, blockTimeMs, onError }
  let macroblocks = 0

  const stopMissed = followMissed(parameters, common)
  const facts = followFacts(parameters, {
    place: () => tip.place(),
    failedStakes: book.failedReading('stakes'),
  })
  const seen = watchSeen({ ...common, store })
  const tip = followTip(client, {
    pollIntervalMs,
    onError: book.failedTip,
    onAnswer: (answer) => {
      book.tipRead(answer, tip.place().at?.timeMs)
      seen.readInTime()
    },
    onHeight: (height) => {
      emit('heightChanged')(height)
      if (facts.isDoubted()) facts.check()
    },
    // What was read before is of a chain that is no more, until it is read anew.
    onReverted: () => book.age('balance', 'rewardsReading'),
    onMined: parameters.onChainGrew,
    onCalculated: (macroblock) => {
      book.shown(macroblock.keyBlock.hash)
      others.calculated(macroblock)
      if (++macroblocks % FACTS_EVERY_MACROBLOCKS === 0) facts.readStakes()
      if (parameters.isStakeAwaited?.()) balance.readNow()
    },
  })
  const balance = watchBalance({
    ...common,
    tokenId,
    cursor: cursorOf(`balance:${tokenId}`),
    onError: book.failedReading('balance'),
    onRead: (read) => store.update({ balance: { ...read, isStale: book.isStale() } }),
    onChange: emit('balanceChanged'),
  })
  const rewards = watchRewards({
    ...common,
    beganAtMs: parameters.beganAtMs,
    cursor: cursorOf('rewards'),
    openKeyBlock: parameters.openKeyBlock,
    onError: book.failedReading('rewardsReading'),
    onRead: (reading) => store.update({ rewardsReading: { ...reading, isStale: book.isStale() } }),
    onReward: (reward) => {
      if (isContradicted(store.snapshot().warnings, reward)) facts.readStakes()
      book.rewarded(reward)
    },
    onReverted: book.reverted,
  })
  const publications = followPublications({
    ...common,
    onFound: () => {
      seen.included()
      balance.earned()
      rewards.earned()
    },
    onIncluded: (microblock, { isMissed }) => {
      book.settled(true, isMissed)
      events.emit('included', microblock)
    },
    onMissed: () => book.settled(false),
    onExcluded: book.excluded,
  })
  const others = followOthers({
    ...common,
    isOurs: publications.has,
    isOurAccount: (account) => account === address,
    onCount: (othersMined) => store.update({ othersMined }),
  })
  facts.check()

  return {
    ...watchHandle(
      ...[tip.leave, balance.stop, rewards.stop, publications.stop, others.stop],
      ...[facts.stop, seen.stop, stopMissed, async () => ended.abort()],
    ),
    published: (microblockHash, keyBlockHash) => {
      publications.published(microblockHash, keyBlockHash)
      book.named(keyBlockHash, tip.place().heightOf(keyBlockHash) !== undefined)
    },
    behind: book.behind,
    check: () => {
      facts.check()
      balance.readNow()
      tip.expect()
    },
    offered: others.reset,
    linked: seen.linked,
    keyBlockOpened: tip.expect,
  }
}

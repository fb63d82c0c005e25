import { type ClientCore, getOriginHash } from '@hailstone/client'
import { apiError, type NodeError } from '@hailstone/protocol'
import type { EventHub } from './events.ts'
import { type ReadinessQuestion, readStakeFacts } from './readiness.ts'
import { type MiningSnapshot, type Reading, withReward } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'
import { followTip, type TipHeight } from './watchers/chain-tip.ts'
import type { CursorStore } from './watchers/cursor-store.ts'
import { followPublications, type PublicationWatch } from './watchers/follow-publications.ts'
import { createInclusionRate } from './watchers/inclusion-rate.ts'
import { onDemand } from './watchers/repeat.ts'
import { isReferral, type Reward } from './watchers/reward.ts'
import { type WatchedBalance, watchBalance } from './watchers/watch-balance.ts'
import { type Watch, watchHandle } from './watchers/watch-handle.ts'
import type { WatchMissedReferrals } from './watchers/watch-missed-referrals.ts'
import { watchRewards } from './watchers/watch-rewards.ts'

/** Macroblocks after which stakes and agent are looked at again. */
const FACTS_EVERY_MACROBLOCKS = 40

/** Everything a node learns through the API about its account. */
export type FollowedAccount = Watch &
  Pick<PublicationWatch, 'published'> & {
    /** Reads anew what the network asks of this miner. */
    readonly checkStakes: () => void
    /** Asks again whether this is the network that was named. */
    readonly checkNetwork: () => void
  }

export type FollowAccountParameters = {
  readonly client: ClientCore
  readonly question: ReadinessQuestion
  readonly pollIntervalMs: number
  readonly blockTimeMs: number
  readonly store: WritableStore<MiningSnapshot>
  readonly events: EventHub
  /** Where it is kept how far rewards and balance were told. */
  readonly cursors?: CursorStore | undefined
  readonly followReferrals?: WatchMissedReferrals | undefined
  /** Others mined; told once for all that was caught up with. */
  readonly onChainGrew: () => void
  /** Much of what was published is not included. */
  readonly onPublicationsIgnored: () => void
  readonly onOtherNetwork: () => void
}

/** Feeds store and events from the API. Whatever fails is reported and repeated; no value falls back. */
export function followAccount(parameters: FollowAccountParameters): FollowedAccount {
  const { client, question, pollIntervalMs, blockTimeMs, store, events, cursors } = parameters
  const { address, tokenId } = question
  const common = { client, address, pollIntervalMs, blockTimeMs, onError: failed }
  const rate = createInclusionRate()
  let macroblocks = 0

  const cursorOf = (what: string) =>
    cursors && { store: cursors, name: `${what}:${client.network.name}:${address}` }

  function failed(error: NodeError): void {
    store.update({ lastError: { error, atMs: client.clock.now() } })
    events.emit('failed', { error })
  }

  function count(name: 'included' | 'missed', by: 1 | -1): void {
    const { publications } = store.snapshot()
    store.update({ publications: { ...publications, [name]: publications[name] + by } })
  }

  function markStale(name: 'height' | 'balance' | 'stakes' | 'rewardsReading'): void {
    const value = store.snapshot()[name]
    if (value !== null && !value.isStale) store.update({ [name]: { ...value, isStale: true } })
  }

  function allIsStale(): void {
    for (const name of ['height', 'balance', 'stakes', 'rewardsReading'] as const) markStale(name)
  }

  const failedReading = (name: 'balance' | 'stakes' | 'rewardsReading') => (error: NodeError) => {
    if (error.code !== 'LISTENER_FAILED') markStale(name)
    failed(error)
  }

  /** Only the poll of the height decides whether the API is there: it is asked all the time. */
  function tipFailed(error: NodeError): void {
    if (error.code !== 'LISTENER_FAILED') {
      store.update({ api: { status: 'unreachable', why: error.message } })
      allIsStale()
    }
    failed(error)
  }

  function answered({ height, isStale, source }: TipHeight): void {
    const { api } = store.snapshot()
    store.update({
      height: { value: height, readAtMs: client.clock.now(), isStale, source },
      api: api.status === 'reachable' ? api : { status: 'reachable', why: '' },
    })
    if (isStale) allIsStale()
  }

  async function checkStakes(signal: AbortSignal): Promise<void> {
    const { core, at } = tip.place()
    const facts = await readStakeFacts(core, question, signal)
    const reading: Reading = {
      source: core.source,
      height: at?.height ?? null,
      readAtMs: client.clock.now(),
      isStale: false,
    }
    store.update({ stakes: { ...facts, ...reading } })
  }

  const checkingStakes = onDemand({
    pace: client,
    intervalMs: () => pollIntervalMs,
    onError: failedReading('stakes'),
    task: checkStakes,
  })

  const checkingNetwork = onDemand({
    pace: client,
    intervalMs: () => pollIntervalMs,
    onError: failed,
    task: async (signal) => {
      const error = await networkMismatch(client, signal)
      if (error === null || signal.aborted) return
      failed(error)
      parameters.onOtherNetwork()
    },
  })

  const tip = followTip(client, {
    pollIntervalMs,
    onError: tipFailed,
    onAnswer: answered,
    onHeight: (tip) => events.emit('heightChanged', tip),
    // What was read before is of a chain that is no more, until it is read anew.
    onReverted: () => {
      for (const name of ['balance', 'rewardsReading'] as const) markStale(name)
    },
    onMined: parameters.onChainGrew,
    onCalculated: () => {
      macroblocks++
      if (macroblocks % FACTS_EVERY_MACROBLOCKS === 0) checkingStakes.trigger()
    },
  })

  function settled(isIncluded: boolean): void {
    count(isIncluded ? 'included' : 'missed', 1)
    rate.settle(isIncluded)
    if (!rate.isAlarming()) return
    rate.forget()
    parameters.onPublicationsIgnored()
  }

  const balance = watchBalance({
    ...common,
    tokenId,
    cursor: cursorOf(`balance:${tokenId}`),
    onError: failedReading('balance'),
    onRead: (read) => store.update({ balance: storedBalance(read) }),
    onChange: ({ amount, decimals, symbol, isKnown, previous, height, source }) =>
      events.emit('balanceChanged', { amount, decimals, symbol, isKnown, previous, height, source }),
  })

  const rewards = watchRewards({
    ...common,
    cursor: cursorOf('rewards'),
    onError: failedReading('rewardsReading'),
    onRead: (reading) => store.update({ rewardsReading: { ...reading, isStale: false } }),
    onReward: (reward: Reward) => {
      store.update({ rewards: withReward(store.snapshot().rewards, reward), lastReward: reward })
      events.emit(isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded', reward)
    },
    onReverted: (reward: Reward) => {
      store.update({ rewards: withReward(store.snapshot().rewards, reward, -1) })
      events.emit('reverted', reward)
    },
  })

  const publications = followPublications({
    client,
    pollIntervalMs,
    onError: failed,
    // What we earned is there now: no need to wait for the next macroblock in turn.
    onFound: () => {
      balance.readNow()
      rewards.readNow()
    },
    onIncluded: (microblock) => {
      settled(true)
      events.emit('included', microblock)
    },
    onMissed: () => settled(false),
    onExcluded: () => count('included', -1),
  })

  const missed = parameters.followReferrals?.({
    ...common,
    onMissed: (one) => events.emit('referralMissed', one),
  })

  const checkNetwork = (): void => {
    if (client.network.originHash !== undefined) checkingNetwork.trigger()
  }

  checkingStakes.trigger()
  checkNetwork()
  const stop = async (): Promise<void> => {
    await Promise.all([
      tip.leave(),
      publications.stop(),
      balance.stop(),
      rewards.stop(),
      missed?.stop(),
      checkingStakes.stop(),
      checkingNetwork.stop(),
    ])
  }
  const { published } = publications
  return { ...watchHandle(stop), published, checkStakes: checkingStakes.trigger, checkNetwork }
}

/** A chain that begins otherwise is another network. Old servers cannot say how theirs begins. */
async function networkMismatch(client: ClientCore, signal: AbortSignal): Promise<NodeError | null> {
  const expected = client.network.originHash
  const received = expected && (await getOriginHash(client, { signal }))
  if (expected === undefined || received === undefined || received === expected) return null
  return apiError('NETWORK_MISMATCH', { expected, received })
}

const storedBalance = (read: WatchedBalance): MiningSnapshot['balance'] => {
  const { amount, isKnown, decimals, symbol, readAtMs, height, source } = read
  return { amount, isKnown, decimals, symbol, readAtMs, height, source, isStale: false }
}

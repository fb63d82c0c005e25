import type { Client } from '@hailstone/client'
import type { NodeError } from '@hailstone/protocol'
import type { EventHub } from './events.ts'
import { type ReadinessQuestion, readStakeFacts } from './readiness.ts'
import { type MiningSnapshot, withReward } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'
import { chainTipOf, type TipHeight } from './watchers/chain-tip.ts'
import { followPublications, type PublicationWatch } from './watchers/follow-publications.ts'
import { onDemand } from './watchers/repeat.ts'
import { isReferral, type Reward } from './watchers/reward.ts'
import { type WatchedBalance, watchBalance } from './watchers/watch-balance.ts'
import { type Watch, watchHandle } from './watchers/watch-handle.ts'
import { watchRewards } from './watchers/watch-rewards.ts'

/** Macroblocks after which stakes and agent are looked at again. */
const FACTS_EVERY_MACROBLOCKS = 40

/** Everything a node learns through the API about its account. */
export type FollowedAccount = Watch &
  Pick<PublicationWatch, 'published'> & {
    /** Reads anew what the network asks of this miner. */
    readonly checkStakes: () => void
  }

/** Feeds store and events from the API. Whatever fails is reported and repeated; no value falls back. */
export function followAccount(parameters: {
  readonly client: Client
  readonly question: ReadinessQuestion
  readonly pollIntervalMs: number
  readonly store: WritableStore<MiningSnapshot>
  readonly events: EventHub
}): FollowedAccount {
  const { client, question, pollIntervalMs, store, events } = parameters
  const { address, tokenId } = question
  const common = { client, address, pollIntervalMs, onError: failed }
  let macroblocks = 0

  function failed(error: NodeError): void {
    store.update({ lastError: { error, atMs: client.clock.now() } })
    events.emit('failed', { error })
  }

  /** Only the poll of the height decides whether the API is there: it is asked all the time. */
  function tipFailed(error: NodeError): void {
    const { height } = store.snapshot()
    const isOurs = error.code === 'LISTENER_FAILED'
    if (!isOurs) {
      store.update({
        api: { status: 'unreachable', why: error.message },
        height: height && { ...height, isStale: true },
      })
      balanceIsStale()
    }
    failed(error)
  }

  function balanceIsStale(): void {
    const { balance } = store.snapshot()
    if (balance !== null && !balance.isStale) store.update({ balance: { ...balance, isStale: true } })
  }

  function answered({ height, isStale }: TipHeight): void {
    const { api } = store.snapshot()
    store.update({
      height: { value: height, readAtMs: client.clock.now(), isStale },
      api: api.status === 'reachable' ? api : { status: 'reachable', why: '' },
    })
  }

  const checkingStakes = onDemand({
    pace: client,
    intervalMs: pollIntervalMs,
    onError: failed,
    task: async (signal) => store.update({ stakes: await readStakeFacts(client, question, signal) }),
  })

  const leaveTip = chainTipOf(client).subscribe({
    pollIntervalMs,
    onError: tipFailed,
    onAnswer: answered,
    onHeight: (tip) => events.emit('heightChanged', tip),
    onCalculated: () => {
      macroblocks++
      if (macroblocks % FACTS_EVERY_MACROBLOCKS === 0) checkingStakes.trigger()
    },
  })

  const publications = followPublications({
    client,
    pollIntervalMs,
    onError: failed,
    onIncluded: (microblock) => {
      const { publications: counts } = store.snapshot()
      store.update({ publications: { ...counts, included: counts.included + 1 } })
      events.emit('included', microblock)
    },
  })

  const balance = watchBalance({
    ...common,
    tokenId,
    onError: (error) => {
      balanceIsStale()
      failed(error)
    },
    onRead: (read) => store.update({ balance: storedBalance(read) }),
    onChange: ({ amount, decimals, symbol, isKnown, previous, height }) =>
      events.emit('balanceChanged', { amount, decimals, symbol, isKnown, previous, height }),
  })

  const rewards = watchRewards({
    ...common,
    onReward: (reward: Reward) => {
      store.update({ rewards: withReward(store.snapshot().rewards, reward), lastReward: reward })
      events.emit(isReferral(reward.recordType) ? 'referralRewarded' : 'rewarded', reward)
    },
  })

  checkingStakes.trigger()
  const stop = async (): Promise<void> => {
    await Promise.all([
      leaveTip(),
      publications.stop(),
      balance.stop(),
      rewards.stop(),
      checkingStakes.stop(),
    ])
  }
  return { ...watchHandle(stop), published: publications.published, checkStakes: checkingStakes.trigger }
}

const storedBalance = (read: WatchedBalance): MiningSnapshot['balance'] => {
  const { amount, isKnown, decimals, symbol, readAtMs } = read
  return { amount, isKnown, decimals, symbol, readAtMs, isStale: false }
}

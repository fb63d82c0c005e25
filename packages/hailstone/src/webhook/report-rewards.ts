import type { Client } from '@hailstone/client'
import {
  type CursorStore,
  cursorsOfChain,
  type Reward,
  type Watch,
  watchRewards,
} from '@hailstone/mining-node'
import type { Hash } from '@hailstone/protocol'
import { createWebhookEvent, eventId, type Outbox } from './outbox.ts'
import { type RewardFaults, unreadRewards } from './reward-faults.ts'
import { OLDER_REVERTED, type WebhookEventName } from './webhook-settings.ts'

/** Returns the facts that tell a line of a history from all others: its own, and none that the API adds. */
const lineOf = ({ index, recordType, amount, recordHash, timeMs }: Reward): readonly unknown[] => [
  index,
  recordType,
  String(amount),
  recordHash,
  timeMs,
]

/** Returns the event of a reward. */
export const rewardEventName = ({ recordType }: Pick<Reward, 'recordType'>): WebhookEventName =>
  recordType === 'iref' ? 'referralRewarded' : 'rewarded'

/** Ends a watch, and the look-up of the name of its chain. */
export const endedWith = (ended: AbortController, watch: Watch): Pick<Watch, 'stop'> => ({
  stop: async () => {
    const stopped = watch.stop()
    ended.abort()
    await stopped
  },
})

/** Name under which a receiver is told of rewards that were taken back. */
export const revertedName = (isWanted: (name: WebhookEventName) => boolean): WebhookEventName =>
  isWanted('reverted') ? 'reverted' : OLDER_REVERTED

/**
 * Turns rewards, and those that a reorganised chain takes back, into events. They come from a watch with a cursor of its
 * own: those that were earned while no process ran are told by the next one.
 */
export function reportRewards(parameters: {
  readonly client: Client
  readonly address: Reward['address']
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
  readonly outbox: Pick<Outbox, 'put' | 'has'>
  /** Names a key block that was open soon after the beginning; undefined until one is known. */
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
  /** @default to the logger of the client */
  readonly faults?: RewardFaults | undefined
}): { readonly stop: () => Promise<void> } {
  const { client, address, store, isWanted, outbox, openKeyBlock, faults } = parameters

  const isNoted = (type: WebhookEventName, reward: Reward, round: number): Promise<boolean> =>
    outbox.has(eventId(type, { address, identity: [...lineOf(reward), round] }))

  async function tell(type: WebhookEventName, reward: Reward, round: number): Promise<void> {
    if (!isWanted(type)) return
    const { source: _, readAtMs: __, ...data } = reward
    const identity = [...lineOf(reward), round]
    await outbox.put(createWebhookEvent({ type, address, identity, data }))
  }

  /** A line that was taken back can come again as it was, which is another event. */
  async function onReward(reward: Reward): Promise<void> {
    let round = 0
    while (await isNoted('reverted', reward, round)) round++
    await tell(rewardEventName(reward), reward, round)
  }

  async function onReverted(reward: Reward): Promise<void> {
    let round = 0
    while (await isNoted(rewardEventName(reward), reward, round + 1)) round++
    await tell(revertedName(isWanted), reward, round)
  }

  const ended = new AbortController()
  const watch = watchRewards({
    ...{ client, address, openKeyBlock, onReward, onReverted },
    cursor: { store: cursorsOfChain({ store, client, signal: ended.signal }), name: 'rewards' },
    onError: faults && unreadRewards(faults),
  })
  return endedWith(ended, watch)
}

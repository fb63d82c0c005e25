import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@hailstone/client'
import { type CursorStore, type Reward, type RewardWatch, watchRewards } from '@hailstone/mining-node'
import { createWebhookEvent, eventId, type Outbox, type WebhookEvent } from './outbox.ts'
import type { WebhookEventName } from './webhook-settings.ts'

const LOOK_AGAIN_MS = 2_000

/**
 * Name of the place in the history of one chain: an account that mines on another network has another history there.
 * Waits for an API that answers.
 */
export async function rewardCursorName(
  { client }: { readonly client: Client },
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    try {
      const origin = await client.getMacroblock({ height: 0, signal })
      const chain = `${client.network.name} ${origin?.keyBlock.hash} ${origin?.keyBlock.publisher}`
      return `rewards-${createHash('sha256').update(chain).digest('hex').slice(0, 16)}`
    } catch {
      await sleep(LOOK_AGAIN_MS, undefined, { signal, ref: false })
    }
  }
}

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

/**
 * Turns rewards, and those that a reorganised chain takes back, into events. They come from a watch with a cursor of its
 * own: those that were earned while no process ran are told by the next one.
 */
export function reportRewards(parameters: {
  readonly client: Client
  readonly address: Reward['address']
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
  readonly outbox: Pick<Outbox, 'has'>
  readonly put: (event: WebhookEvent) => Promise<void>
}): { readonly stop: () => Promise<void> } {
  const { client, address, store, isWanted, outbox, put } = parameters
  const ended = new AbortController()
  let watch: RewardWatch | undefined

  const isNoted = (type: WebhookEventName, reward: Reward, round: number): Promise<boolean> =>
    outbox.has(eventId(type, { address, identity: [...lineOf(reward), round] }))

  async function tell(type: WebhookEventName, reward: Reward, round: number): Promise<void> {
    if (!isWanted(type)) return
    const { index, role, amount, tokenId, recordHash, height, timeMs, miner } = reward
    const data = { address, index, role, amount, tokenId, recordHash, height, timeMs, miner }
    const identity = [...lineOf(reward), round]
    await put(createWebhookEvent({ type, address, identity, data, atMs: Date.now() }))
  }

  /** A line that was taken back can come again as it was, which is another event. */
  async function onReward(reward: Reward): Promise<void> {
    let round = 0
    while (await isNoted('rewardReverted', reward, round)) round++
    await tell(rewardEventName(reward), reward, round)
  }

  async function onReverted(reward: Reward): Promise<void> {
    let round = 0
    while (await isNoted(rewardEventName(reward), reward, round + 1)) round++
    await tell('rewardReverted', reward, round)
  }

  const begun = rewardCursorName({ client }, ended.signal).then(
    (name) => {
      watch = watchRewards({ client, address, cursor: { store, name }, onReward, onReverted })
    },
    // Stopped before an API answered.
    () => undefined,
  )
  return {
    stop: async () => {
      ended.abort()
      await begun
      await watch?.stop()
    },
  }
}

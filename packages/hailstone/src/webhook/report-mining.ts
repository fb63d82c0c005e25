import type { Client } from '@hailstone/client'
import { type CursorStore, type MiningNode, type Reward, watchRewards } from '@hailstone/mining-node'
import type { HealthWatch } from '@hailstone/mining-node/health'
import type { WebhookDelivery } from './deliver-webhooks.ts'
import { createWebhookEvent, type Outbox, type WebhookEvent } from './outbox.ts'
import type { WebhookEventName } from './webhook-settings.ts'

/** State that receivers were notified of last; kept from run to run. */
type Reported = {
  /** Counts changes, so that each has an id of its own. */
  readonly changes: number
  readonly readiness: 'ready' | 'notReady' | null
  readonly isStakeLow: boolean
}

const NOTHING_REPORTED: Reported = { changes: 0, readiness: null, isStakeLow: false }
const LOOK_EVERY_MS = 1_000
/** A start, or a change of gateway, takes less. */
const NOT_READY_AFTER_MS = 20_000
const STATE = 'reported'

function reportedIn(text: string | null): Reported {
  try {
    return { ...NOTHING_REPORTED, ...(JSON.parse(text ?? '{}') as Partial<Reported>) }
  } catch {
    return NOTHING_REPORTED
  }
}

/** Reports of a miner, until they are stopped. */
export type MiningReports = {
  /** Resolves when all events so far are stored. */
  readonly stop: () => Promise<void>
}

/**
 * Turns what happens to a miner into events for webhooks. Changes of readiness and stake are told once each, also when
 * the process was killed in between. Rewards come from a watch with a cursor of its own: those that were earned while
 * no process ran are told by the next one.
 *
 * @param parameters.outbox keeps events; what it rejects with is tried again
 */
export async function reportMining(parameters: {
  readonly node: MiningNode
  readonly health: Pick<HealthWatch, 'read'>
  readonly client: Client | undefined
  readonly address: Reward['address']
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
  readonly outbox: Pick<Outbox, 'put'>
  readonly delivery: Pick<WebhookDelivery, 'wake'>
  readonly onFault: (sentence: string) => void
}): Promise<MiningReports> {
  const { node, health, client, address, store, isWanted, outbox, delivery, onFault } = parameters
  const put = async (event: WebhookEvent): Promise<void> => {
    await outbox.put(event)
    delivery.wake()
  }
  let reported = reportedIn(await store.read(STATE).catch(() => null))
  /** Each change is kept before the next one is looked at. */
  let queue: Promise<void> = Promise.resolve()
  let notReadySince: number | null = null
  let isStopped = false

  async function change(type: WebhookEventName, data: object, next: Partial<Reported>): Promise<void> {
    const after = { ...reported, ...next, changes: reported.changes + 1 }
    const facts = { address, ...data }
    if (isWanted(type))
      await put(
        createWebhookEvent({ type, address, identity: [after.changes], data: facts, atMs: Date.now() }),
      )
    // After the event: killed in between, the next process makes the same event again, with the same id.
    await store.write(STATE, JSON.stringify(after))
    reported = after
  }

  const guarded = (task: () => Promise<void>): void => {
    queue = queue
      .then(task)
      .catch(() => onFault('An event for webhooks cannot be kept in the data folder; it is tried again.'))
  }

  async function look(): Promise<void> {
    if (isStopped) return
    const { isReady, code, why, nextStep } = health.read()
    const now = performance.now()
    notReadySince = isReady ? null : (notReadySince ?? now)
    if (isReady && reported.readiness !== 'ready') await change('ready', { code }, { readiness: 'ready' })
    if (
      notReadySince !== null &&
      now - notReadySince >= NOT_READY_AFTER_MS &&
      reported.readiness !== 'notReady'
    )
      await change('notReady', { code, why, nextStep }, { readiness: 'notReady' })
    await lookAtStake()
  }

  async function lookAtStake(): Promise<void> {
    const { warnings, balance, stakes, tokenId } = node.snapshot()
    if (balance === null || stakes === null) return
    const isStakeLow = warnings.some((warning) => warning.code === 'STAKE_TOO_LOW')
    if (isStakeLow === reported.isStakeLow) return
    if (!isStakeLow) {
      reported = { ...reported, isStakeLow }
      await store.write(STATE, JSON.stringify(reported))
      return
    }
    const minimumStake = stakes.token?.minimumStake ?? null
    await change('lowStake', { tokenId, balance: balance.amount, minimumStake }, { isStakeLow })
  }

  const rewards =
    client === undefined
      ? undefined
      : watchRewards({
          client,
          address,
          cursor: { store, name: 'rewards' },
          onReward: async (reward) => {
            const type = reward.recordType === 'iref' ? 'referralRewarded' : 'rewarded'
            if (isWanted(type)) await put(rewardEvent(type, reward))
          },
        })

  const unsubscribe = node.on('stopped', ({ reason, why }) => {
    isStopped = true
    const { nextStep } = node.state
    guarded(() => change('stopped', { reason, why, nextStep }, { readiness: null }))
  })
  const timer = setInterval(() => guarded(look), LOOK_EVERY_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      unsubscribe()
      await queue
      await rewards?.stop()
    },
  }
}

/** The microblock, the role and the place in the history tell a reward from all others. */
function rewardEvent(type: WebhookEventName, reward: Reward): WebhookEvent {
  const { address, index, recordType, role, amount, tokenId, recordHash, height, timeMs, miner } = reward
  return createWebhookEvent({
    type,
    address,
    identity: [recordHash, recordType, role, height, index],
    data: { address, index, role, amount, tokenId, recordHash, height, timeMs, miner },
    atMs: Date.now(),
  })
}

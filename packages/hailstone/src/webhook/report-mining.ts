import { randomUUID } from 'node:crypto'
import type { Client } from '@hailstone/client'
import type { CursorStore, MiningNode, Reward } from '@hailstone/mining-node'
import type { HealthWatch } from '@hailstone/mining-node/health'
import type { WebhookDelivery } from './deliver-webhooks.ts'
import { createWebhookEvent, type Outbox, type WebhookEvent } from './outbox.ts'
import { reportRewards } from './report-rewards.ts'
import type { WebhookEventName } from './webhook-settings.ts'

/** State that receivers were notified of last; kept from run to run. */
type Reported = {
  /** Drawn when the first state is kept: changes of another folder, or of one that was lost, have other ids. */
  readonly origin: string
  /** Counts changes, so that each has an id of its own. */
  readonly changes: number
  readonly readiness: 'ready' | 'notReady' | null
  readonly isStakeLow: boolean
}

const LOOK_EVERY_MS = 1_000
/** A start, or a change of gateway, takes less. */
const NOT_READY_AFTER_MS = 20_000
const STATE = 'reported'

/** Null for a text that is not whole. */
function reportedIn(text: string | null): Reported | null {
  try {
    const { origin, changes, readiness, isStakeLow } = JSON.parse(text ?? '{}') as Record<string, unknown>
    if (typeof origin !== 'string' || !Number.isSafeInteger(changes)) return null
    const known = READINESS.find((one) => one === readiness) ?? null
    return { origin, changes: changes as number, readiness: known, isStakeLow: isStakeLow === true }
  } catch {
    return null
  }
}

const READINESS = ['ready', 'notReady'] as const

/** Reports of a miner, until they are stopped. */
export type MiningReports = {
  /** Resolves when all events so far are stored. */
  readonly stop: () => Promise<void>
}

/**
 * Turns what happens to a miner into events for webhooks. Changes of readiness and stake are told once each, also when
 * the process was killed in between.
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
  readonly outbox: Pick<Outbox, 'put' | 'has'>
  readonly delivery: Pick<WebhookDelivery, 'wake'>
  readonly onFault: (sentence: string) => void
}): Promise<MiningReports> {
  const { node, health, client, address, store, isWanted, outbox, delivery, onFault } = parameters
  const put = async (event: WebhookEvent): Promise<void> => {
    await outbox.put(event)
    delivery.wake()
  }
  let known: Reported | null = null
  /** Each change is kept before the next one is looked at. */
  let queue: Promise<void> = Promise.resolve()
  let notReadySince: number | null = null
  let isStopped = false

  /** State that was kept last. A disk that cannot be read now is asked again. */
  async function reported(): Promise<Reported> {
    if (known !== null) return known
    known = reportedIn(await store.read(STATE))
    if (known !== null) return known
    const first: Reported = { origin: randomUUID(), changes: 0, readiness: null, isStakeLow: false }
    // Before the first event: killed in between, the next process would name the same event otherwise.
    await keep(first)
    return first
  }

  async function keep(next: Reported): Promise<void> {
    await store.write(STATE, JSON.stringify(next))
    known = next
  }

  async function change(type: WebhookEventName, data: object, next: Partial<Reported>): Promise<void> {
    const before = await reported()
    const after = { ...before, ...next, changes: before.changes + 1 }
    const identity = [after.origin, after.changes]
    const facts = { address, ...data }
    if (isWanted(type))
      await put(createWebhookEvent({ type, address, identity, data: facts, atMs: Date.now() }))
    // After the event: killed in between, the next process makes the same event again, with the same id.
    await keep(after)
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
    const { readiness } = await reported()
    if (isReady && readiness !== 'ready') await change('ready', { code }, { readiness: 'ready' })
    const isLong = notReadySince !== null && now - notReadySince >= NOT_READY_AFTER_MS
    if (isLong && readiness !== 'notReady')
      await change('notReady', { code, why, nextStep }, { readiness: 'notReady' })
    await lookAtStake()
  }

  async function lookAtStake(): Promise<void> {
    const { warnings, balance, stakes, tokenId } = node.snapshot()
    if (balance === null || stakes === null) return
    const isStakeLow = warnings.some((warning) => warning.code === 'STAKE_TOO_LOW')
    const before = await reported()
    if (isStakeLow === before.isStakeLow) return
    if (!isStakeLow) return keep({ ...before, isStakeLow })
    const minimumStake = stakes.token?.minimumStake ?? null
    await change('lowStake', { tokenId, balance: balance.amount, minimumStake }, { isStakeLow })
  }

  const rewards = client && reportRewards({ client, address, store, isWanted, outbox, put })

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

import { randomUUID } from 'node:crypto'
import type { CursorStore } from '@hailstone/mining-node'
import { createWebhookEvent, type Outbox } from './outbox.ts'
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

/** A start, or a change of gateway, takes less. */
const NOT_READY_AFTER_MS = 20_000
const STATE = 'reported'
const READINESS = ['ready', 'notReady'] as const

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

/** The state that receivers know, and its changes: each becomes one event, also when the process is killed in between. */
export type ReportedState = {
  /** State that was kept last. A disk that cannot be read now is asked again. */
  readonly read: () => Promise<Reported>
  readonly keep: (next: Reported) => Promise<void>
  readonly change: (type: WebhookEventName, data: object, next: Partial<Reported>) => Promise<void>
  /** Tells that readiness came back, or has been away for 20 s. */
  readonly lookAtReadiness: (now: Readiness) => Promise<void>
  /** Runs a task after the earlier ones: each change is kept before the next one is looked at. Never rejects. */
  readonly inTurn: (task: () => Promise<void>) => Promise<void>
}

/** Readiness as it is now, and the facts that are told of it. */
type Readiness = {
  readonly isReady: boolean
  readonly whenReady: object
  readonly whenNotReady: object
}

/** @param parameters.owner account, or a name of what the state is of */
export function openReportedState(parameters: {
  readonly owner: string
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
  readonly outbox: Pick<Outbox, 'put'>
}): ReportedState {
  const { owner, store, isWanted, outbox } = parameters
  let known: Reported | null = null
  let notReadySince: number | null = null

  async function read(): Promise<Reported> {
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
    const before = await read()
    const after = { ...before, ...next, changes: before.changes + 1 }
    const identity = [after.origin, after.changes]
    if (isWanted(type)) await outbox.put(createWebhookEvent({ type, address: owner, identity, data }))
    // After the event: killed in between, the next process makes the same event again, with the same id.
    await keep(after)
  }

  async function lookAtReadiness({ isReady, whenReady, whenNotReady }: Readiness): Promise<void> {
    const now = performance.now()
    notReadySince = isReady ? null : (notReadySince ?? now)
    const { readiness } = await read()
    if (isReady && readiness !== 'ready') await change('ready', whenReady, { readiness: 'ready' })
    const isLong = notReadySince !== null && now - notReadySince >= NOT_READY_AFTER_MS
    if (isLong && readiness !== 'notReady') await change('notReady', whenNotReady, { readiness: 'notReady' })
  }

  let queue: Promise<void> = Promise.resolve()
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    // The webhooks report what fails and try again at the next look.
    queue = queue.then(task).catch(() => undefined)
    return queue
  }

  return { read, keep, change, lookAtReadiness, inTurn }
}

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileCursors } from '@hailstone/mining-node'
import { factsText } from '@hailstone/mining-node/health'
import { plainJson } from '@hailstone/protocol'
import type { WebhookEventName } from './webhook-settings.ts'

/** One event on its way to a receiver. */
export type WebhookEvent = {
  /** The same for the same event, after any restart. */
  readonly id: string
  /** Unix milliseconds at which it was noted. */
  readonly atMs: number
  /** JSON that is sent, and signed byte by byte. */
  readonly body: string
}

/** Events that are not delivered yet, kept in a folder. */
export type Outbox = {
  readonly folder: string
  /** Keeps an event; when it resolves, the event survives a kill and a power cut. */
  readonly put: (event: WebhookEvent) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  /** All that wait, oldest first. Reads what other processes have put. */
  readonly pending: () => Promise<readonly WebhookEvent[]>
}

/** More than a receiver that is away for a day misses; what comes after that is dropped. */
const MAX_PENDING = 20_000
const FILE = /^evt-[\da-f]{32}\.json$/

/**
 * Makes an event. Its id comes from what happened and not from chance, so that noting it again after a crash does not
 * make another one of it.
 *
 * @param parameters.identity distinguishes it from others of its type and account
 */
export function createWebhookEvent(parameters: {
  readonly type: WebhookEventName
  readonly address: string
  readonly identity: readonly unknown[]
  readonly data: object
  readonly atMs: number
}): WebhookEvent {
  const { type, address, identity, data, atMs } = parameters
  const digest = createHash('sha256')
    .update(JSON.stringify([type, address, ...identity]))
    .digest('hex')
  // Units of tokens are longer than a number of JSON can be, so they become text.
  const facts = plainJson(factsText({ type, timestamp: new Date(atMs).toISOString(), data }).trimEnd())
  return { id: `evt-${digest.slice(0, 32)}`, atMs, body: facts }
}

function parseEvent(text: string): WebhookEvent | null {
  try {
    const { id, atMs, body } = JSON.parse(text) as Record<string, unknown>
    if (typeof id !== 'string' || typeof atMs !== 'number' || typeof body !== 'string') return null
    return { id, atMs, body }
  } catch {
    return null
  }
}

/** Opens the outbox in a folder, which is made when it is not there. */
export async function openOutbox(folder: string): Promise<Outbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const files = openFileCursors({ folder })
  const known = new Map<string, WebhookEvent>()

  async function pending(): Promise<readonly WebhookEvent[]> {
    const names = new Set((await readdir(folder)).filter((name) => FILE.test(name)))
    for (const id of known.keys()) if (!names.has(`${id}.json`)) known.delete(id)
    for (const name of names) {
      if (known.has(name.slice(0, -'.json'.length))) continue
      const event = parseEvent(await readFile(join(folder, name), 'utf8').catch(() => ''))
      if (event !== null && `${event.id}.json` === name) known.set(event.id, event)
    }
    return [...known.values()].sort((one, other) => one.atMs - other.atMs)
  }

  return {
    folder,
    pending,
    put: async (event) => {
      if (known.size >= MAX_PENDING) throw new RangeError('too many webhooks wait')
      await files.write(event.id, JSON.stringify(event))
      known.set(event.id, event)
    },
    remove: async (id) => {
      known.delete(id)
      await rm(join(folder, `${id}.json`), { force: true })
    },
  }
}

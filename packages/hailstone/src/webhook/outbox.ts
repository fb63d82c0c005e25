import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileCursors } from '@hailstone/mining-node'
import { factsText } from '@hailstone/mining-node/health'
import { plainJson } from '@hailstone/protocol'
import { makeFolder } from '@hailstone/runtime/node'
import { openSettledIds } from './settled-ids.ts'
import { OLDER_REVERTED, type WebhookEventName } from './webhook-settings.ts'
import { triesIn, type WebhookTries } from './webhook-tries.ts'

/** One event on its way to a receiver. */
export type WebhookEvent = {
  /** The same for the same event, after any restart. */
  readonly id: string
  /** Unix milliseconds at which it was noted. */
  readonly atMs: number
  /** JSON that is sent, and signed byte by byte. */
  readonly body: string
  /** @default none */
  readonly tries?: WebhookTries | undefined
}

/** An event that waits. Its text stays on the disk until it is sent. */
export type WaitingEvent = {
  readonly id: string
  /** Time since it was noted, in ms. From then on it does not depend on the clock of the machine. */
  readonly ageMs: () => number
}

/** Events that are not delivered yet, kept in a folder. */
export type Outbox = {
  readonly folder: string
  /**
   * Keeps an event, unless it was settled before; when it resolves, the event survives a kill and a power cut.
   *
   * @throws {RangeError} while too many wait
   */
  readonly put: (event: WebhookEvent) => Promise<void>
  /** True if the event waits or was settled. */
  readonly has: (id: string) => Promise<boolean>
  /** Looks for what other processes have put and removed. */
  readonly refresh: () => Promise<void>
  /** All that were found by the last look or put since, oldest first. */
  readonly waiting: () => Iterable<WaitingEvent>
  readonly size: () => number
  /** Null for one that another process removed, or whose file was damaged. */
  readonly read: (id: string) => Promise<WebhookEvent | null>
  /** Keeps the failed attempts at an event. For the process that delivers alone. */
  readonly noteTries: (event: WebhookEvent) => Promise<void>
  /** Ends an event: from now on it is never kept again. For the process that delivers alone. */
  readonly settle: (id: string) => Promise<void>
}

/** Rewards beyond that wait in the history of the account until there is room. */
const MAX_PENDING = 20_000
const FILE = /^evt-[\da-f]{32}\.json$/
const DRAFT = /\.tmp$/
/** Age at which a draft has no writer any more, in ms. */
const LEFT_BEHIND_MS = 3_600_000
/** Longer than any event: whoever else can write there fills no memory. */
const MAX_EVENT_BYTES = 65_536

/** Returns the id of an event, which comes from what happened. */
export function eventId(
  type: WebhookEventName,
  { address, identity }: { readonly address: string; readonly identity: readonly unknown[] },
): string {
  // The same under both names, and as those that were kept under the older one.
  const name = type === 'reverted' ? OLDER_REVERTED : type
  const digest = createHash('sha256')
    .update(JSON.stringify([name, address, ...identity]))
    .digest('hex')
  return `evt-${digest.slice(0, 32)}`
}

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
  /** @default now */
  readonly atMs?: number | undefined
}): WebhookEvent {
  const { type, data, atMs = Date.now() } = parameters
  // Units of tokens are longer than a number of JSON can be, so they become text.
  const facts = plainJson(factsText({ type, timestamp: new Date(atMs).toISOString(), data }).trimEnd())
  return { id: eventId(type, parameters), atMs, body: facts }
}

function parseEvent(text: string): WebhookEvent | null {
  try {
    const { id, atMs, body, tries } = JSON.parse(text) as Record<string, unknown>
    if (typeof id !== 'string' || typeof atMs !== 'number' || typeof body !== 'string') return null
    return { id, atMs, body, tries: triesIn(tries) }
  } catch {
    return null
  }
}

/** Removes what writers that were killed have left. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => DRAFT.test(name))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true })
  }
}

/** Faults that pass, and say nothing about the file. */
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'ESTALE'])

/** @throws what passes by itself */
async function readEvent(path: string): Promise<WebhookEvent | null> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size > MAX_EVENT_BYTES) return null
    return parseEvent(await readFile(path, 'utf8'))
  } catch (error) {
    if (PASSING.has(String((error as NodeJS.ErrnoException).code))) throw error
    return null
  }
}

/**
 * Opens the outbox in a folder, which is made when it is not there. Beside it stands the list of what was settled.
 *
 * @param options.most events that are kept
 */
export async function openOutbox(
  folder: string,
  { most = MAX_PENDING }: { readonly most?: number } = {},
): Promise<Outbox> {
  await makeFolder(folder, { mode: 0o700 })
  await removeDrafts(folder)
  const files = openFileCursors({ folder })
  const settled = openSettledIds(`${folder}.settled`)
  /** In the order in which they are sent. */
  const known = new Map<string, WaitingEvent>()
  /** Files that hold no event: they are not read again and again. */
  const damaged = new Set<string>()
  const pathOf = (id: string): string => join(folder, `${id}.json`)
  const waitingOf = ({ id, atMs }: WebhookEvent): WaitingEvent => {
    const [agedMs, since] = [Math.max(0, Date.now() - atMs), performance.now()]
    return { id, ageMs: () => agedMs + performance.now() - since }
  }

  async function look(): Promise<void> {
    // One that is put while the folder is read may be missing in what was read.
    const before = [...known.keys()]
    const names = (await readdir(folder)).filter((name) => FILE.test(name))
    const ids = new Set(names.map((name) => name.slice(0, -'.json'.length)))
    for (const id of before) if (!ids.has(id)) known.delete(id)
    for (const id of damaged) if (!ids.has(id)) damaged.delete(id)
    const found: WebhookEvent[] = []
    for (const id of ids) {
      if (known.has(id) || damaged.has(id)) continue
      const event = await readEvent(pathOf(id))
      if (event?.id !== id) damaged.add(id)
      // Killed between the note and the removal.
      else if (await settled.has(id)) await rm(pathOf(id), { force: true }).catch(() => undefined)
      else found.push({ ...event, body: '' })
    }
    found.sort((one, other) => one.atMs - other.atMs)
    for (const event of found) known.set(event.id, waitingOf(event))
    isRead = true
  }

  let isRead = false
  let looking: Promise<void> | undefined
  const refresh = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const firstRead = async (): Promise<void> => (isRead ? undefined : refresh())

  return {
    folder,
    refresh,
    waiting: () => known.values(),
    size: () => known.size,
    has: async (id) => {
      await firstRead()
      return known.has(id) || (await settled.has(id))
    },
    put: async (event) => {
      await firstRead()
      if (known.has(event.id) || (await settled.has(event.id))) return
      if (known.size >= most) throw new RangeError(`${known.size} wait for a receiver, which are too many`)
      damaged.delete(event.id)
      await files.write(event.id, JSON.stringify(event))
      if (!known.has(event.id)) known.set(event.id, waitingOf(event))
    },
    read: (id) => readEvent(pathOf(id)),
    noteTries: async (event) => {
      if (known.has(event.id)) await files.write(event.id, JSON.stringify(event))
    },
    settle: async (id) => {
      known.delete(id)
      const isNoted = await succeeds(settled.add(id))
      // On a full disk this makes the room that the note had not.
      const isRemoved = await succeeds(rm(pathOf(id), { force: true }))
      if (!isNoted && !isRemoved) throw new Error('the event stays in the folder')
    },
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> => work.then(() => true).catch(() => false)

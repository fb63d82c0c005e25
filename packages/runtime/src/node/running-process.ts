import { randomBytes } from 'node:crypto'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { canParseUrl } from '../hosts.ts'
import { fileLockHolder, type LockHolder, takeFileLock } from './file-lock.ts'
import { shortText } from './short-text.ts'
import { aboutPath, makeFolder, systemFaultOf } from './system-fault.ts'

/** A program of Hailstone that runs on this machine until it is stopped. */
export type RunningProcess = {
  /** Name that nobody else has in its folder; of a miner its account. */
  readonly name: string
  /** Kind of program, such as `network`; null for a process that has written no record. */
  readonly program: string | null
  /** In its own PID namespace; null if it is not known. */
  readonly processId: number | null
  /** Unix milliseconds. */
  readonly startedAtMs: number | null
  /** Address that answers how it is; null if it has none, or did not say. */
  readonly healthUrl: string | null
}

/** The place of this process in a folder of running processes. */
export type ProcessPlace = {
  /** Adds or replaces the address that answers how this process is. */
  readonly announce: (healthUrl: string) => Promise<void>
  readonly release: () => Promise<void>
}

const LOCK = '.lock'
const RECORD = '.record'

/** Name of the folder, inside a data folder, of the processes that run. */
export const RUNNING = 'running'

/** Returns the absolute path of the data folder of commands; null if nothing names one and the user has no home folder. */
export function dataFolderOf(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const named = given ?? (environment['HAILSTONE_DATA'] || null)
  if (named !== null) return resolve(named)
  try {
    const home = homedir()
    return home === '' ? null : join(resolve(home), '.hailstone')
  } catch {
    // The system throws where neither HOME nor the list of users names a folder, as in containers.
    return null
  }
}

/**
 * Takes a name among the processes of a folder. The record beside the lock carries the number of its process, so that one
 * that was killed says nothing false. Records that killed processes left are removed.
 *
 * @param parameters.name default: one that nobody else has
 * @returns who has the name, if a process has it
 */
export async function takeProcessPlace(parameters: {
  readonly folder: string
  readonly program: string
  readonly name?: string | undefined
  readonly healthUrl?: string | undefined
}): Promise<ProcessPlace | LockHolder> {
  const { folder, program, name = `${program}-${randomBytes(8).toString('hex')}` } = parameters
  await makeFolder(folder, { mode: 0o700 })
  const taken = await takeFileLock(join(folder, name + LOCK))
  if (!('release' in taken)) return taken
  await removeLeftRecords(folder, name)
  const path = join(folder, name + RECORD)
  const startedAtMs = Date.now()
  const write = (healthUrl: string | null): Promise<void> => {
    const draft = `${path}.new`
    return aboutPath(draft, async () => {
      await rm(draft, { force: true })
      const text = JSON.stringify({ program, processId: process.pid, startedAtMs, healthUrl })
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
      await rename(draft, path)
    })
  }
  const release = async (): Promise<void> => {
    await rm(path, { force: true })
    await taken.release()
  }
  try {
    await write(parameters.healthUrl ?? null)
  } catch (error) {
    await release()
    throw error
  }
  return { announce: write, release }
}

/** Names that are drawn: nobody waits for one, so that taking it for a moment is in nobody's way. */
const DRAWN = /^[a-z]+-[0-9a-f]{16}$/

async function removeLeftRecords(folder: string, own: string): Promise<void> {
  for (const name of (await namesIn(folder)).filter((one) => one !== own && DRAWN.test(one))) {
    const lock = join(folder, name + LOCK)
    // One that another user left may stay: it says nothing.
    if ((await fileLockHolder(lock).catch(() => undefined)) !== null) continue
    const left = await takeFileLock(lock).catch(() => null)
    if (left === null || !('release' in left)) continue
    await rm(join(folder, name + RECORD), { force: true }).catch(() => undefined)
    await left.release().catch(() => undefined)
  }
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((file) => file.endsWith(LOCK)).map((file) => file.slice(0, -LOCK.length))

/**
 * Returns the processes of a folder that still run, oldest first; none for a folder that does not exist.
 *
 * @throws the error of a folder that exists and cannot be read
 */
export async function runningProcesses(folder: string): Promise<readonly RunningProcess[]> {
  const names = await namesIn(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = await Promise.all(names.map((name) => processOf(folder, name)))
  return found
    .flatMap((one) => one ?? [])
    .sort((one, other) => (one.startedAtMs ?? 0) - (other.startedAtMs ?? 0))
}

async function processOf(folder: string, name: string): Promise<RunningProcess | null> {
  const holder = await fileLockHolder(join(folder, name + LOCK))
  if (holder === null) return null
  const text = (await shortText(join(folder, name + RECORD)).catch(() => null)) ?? ''
  return { name, ...recordIn(text, holder.processId) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const addressOrNull = (value: unknown): string | null =>
  typeof value === 'string' && /^https?:\/\/[^@]+$/.test(value) && canParseUrl(value) ? value : null

/** What another process left, or what a system that lost power left of a record, counts for nothing. */
function recordIn(text: string, processId: number | null): Omit<RunningProcess, 'name'> {
  const unknown = { program: null, processId, startedAtMs: null, healthUrl: null }
  try {
    const record = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (record['processId'] !== processId) return unknown
    const { program, startedAtMs, healthUrl } = record
    return {
      program: textOrNull(program),
      processId,
      startedAtMs: Number.isSafeInteger(startedAtMs) ? (startedAtMs as number) : null,
      healthUrl: addressOrNull(healthUrl),
    }
  } catch {
    return unknown
  }
}

/** An entry of this process in its data folder, until `release`. */
export type Announcement = AsyncDisposable & {
  /** Why there is no entry, in sentences for people; null if there is one. */
  readonly trouble: string | null
  readonly release: () => Promise<void>
}

const announcement = (
  trouble: string | null,
  release: () => Promise<void> = async () => {},
): Announcement => ({
  ...{ trouble, release },
  [Symbol.asyncDispose]: release,
})

/**
 * Adds this process to those that `hailstone status` finds. A program works as well without that, so nothing is
 * thrown.
 *
 * @param parameters.data default: HAILSTONE_DATA, or `.hailstone` in the home folder
 */
export async function announceProcess(parameters: {
  readonly program: string
  readonly healthUrl: string | undefined
  readonly data?: string | undefined
}): Promise<Announcement> {
  const { program, healthUrl } = parameters
  const failed = (why: string): Announcement =>
    announcement(`\`hailstone status\` does not find this process. ${why} Name a folder with HAILSTONE_DATA.`)
  const data = dataFolderOf(parameters.data, process.env)
  if (data === null) return failed('There is no home folder.')
  try {
    const place = await takeProcessPlace({ folder: join(data, RUNNING), program, healthUrl })
    return 'release' in place ? announcement(null, place.release) : failed(`${place.lock} is in use.`)
  } catch (error) {
    return failed(systemFaultOf(error) ?? String(error))
  }
}

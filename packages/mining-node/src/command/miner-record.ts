import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, isAddress, keystoreError, type NodeError } from '@hailstone/protocol'

/** One process that mines with a key: the lock of the key, and where its health is asked for. */
export type MinerRecord = {
  readonly address: Address
  readonly processId: number
  /** Tells the process from a later one of the same number; empty where the system does not say. */
  readonly processStart: string
  readonly healthPort: number | null
}

/** A lock that was taken. */
export type MinerLock = {
  /** Adds the port, once it is known. */
  readonly announce: (healthPort: number) => Promise<void>
  readonly release: () => Promise<void>
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

const pathOf = (folder: string, address: Address): string => join(folder, `${address}.json`)

/** When a process started, in ticks since boot. Linux alone. */
async function startOf(processId: number): Promise<string> {
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function exists(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return codeOf(error) === 'EPERM'
  }
}

/** Whether the process that wrote a record still runs. */
async function isAlive({ processId, processStart }: MinerRecord): Promise<boolean> {
  if (!exists(processId)) return false
  return processStart === '' || (await startOf(processId)) === processStart
}

function recordOf(text: string): MinerRecord | null {
  try {
    const { address, processId, processStart, healthPort } = JSON.parse(text) as Record<string, unknown>
    if (!isAddress(address) || !Number.isSafeInteger(processId) || typeof processStart !== 'string')
      return null
    const port = Number.isSafeInteger(healthPort) ? (healthPort as number) : null
    return { address, processId: processId as number, processStart, healthPort: port }
  } catch {
    // Not ours, or from a system that lost power: a stale lock either way.
    return null
  }
}

/** A hard link appears with its content, so nobody reads a half-written record. */
async function create(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${process.pid}.${performance.now()}`
  await writeFile(draft, text, { mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Moves a dead process's record away; one that another starter put there meanwhile is put back. */
async function clearStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.stale`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await readFile(aside, 'utf8')) !== stale) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

const ATTEMPTS = 4

/**
 * Takes the key for this process: a second miner of the same key on this machine would only evict the first, over
 * and over. The record of a process that was killed is recovered.
 *
 * @throws {NodeError} `KEY_IN_USE` with the number of the process that has it
 */
export async function lockKey(folder: string, address: Address): Promise<MinerLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = pathOf(folder, address)
  const own: MinerRecord = {
    address,
    processId: process.pid,
    processStart: await startOf(process.pid),
    healthPort: null,
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(path, JSON.stringify(own))) return lockOf(path, own)
    const text = await readFile(path, 'utf8').catch(() => '')
    const holder = recordOf(text)
    if (holder !== null && (await isAlive(holder))) throw inUse(address, holder.processId)
    if (text !== '') await clearStale(path, text)
  }
  throw inUse(address, 0)
}

const inUse = (address: Address, processId: number): NodeError =>
  keystoreError('KEY_IN_USE', { address, processId })

const lockOf = (path: string, own: MinerRecord): MinerLock => ({
  announce: async (healthPort) => {
    const draft = `${path}.${process.pid}.new`
    await writeFile(draft, JSON.stringify({ ...own, healthPort }), { mode: 0o600 })
    await rename(draft, path)
  },
  release: () => rm(path, { force: true }),
})

/** Miners of this machine that still run, in no order. */
export async function runningMiners(folder: string): Promise<readonly MinerRecord[]> {
  const names = await readdir(folder).catch(() => [])
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => recordOf(await readFile(join(folder, name), 'utf8').catch(() => ''))),
  )
  const alive = await Promise.all(
    records.map(async (record) => (record !== null && (await isAlive(record)) ? [record] : [])),
  )
  return alive.flat()
}

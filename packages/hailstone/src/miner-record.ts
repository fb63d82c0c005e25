import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, isAddress, keystoreError } from '@hailstone/protocol'
import { aboutPath, fileLockHolder, makeFolder, takeFileLock } from '@hailstone/runtime/node'

/** One process that mines with a key, and where its health is asked for. */
export type MinerRecord = {
  readonly address: Address
  readonly processId: number
  readonly healthPort: number | null
}

/** The lock of a key that was taken. */
export type MinerLock = {
  /** Adds the port, once it is known. */
  readonly announce: (healthPort: number) => Promise<void>
  readonly release: () => Promise<void>
}

const LOCK = '.lock'

/** The port stands beside the lock with the number of its process: one that was killed tells nobody a wrong one. */
const portPath = (folder: string, address: Address): string => join(folder, `${address}.port`)

/**
 * Takes the key for this process: a second miner of the same key on this machine would only evict the first, over
 * and over. The lock of a process that was killed is recovered.
 *
 * @throws {NodeError} `KEY_IN_USE` with the number of the process that has it
 */
export async function lockKey(folder: string, address: Address): Promise<MinerLock> {
  await makeFolder(folder, { mode: 0o700 })
  const taken = await takeFileLock(join(folder, address + LOCK))
  if ('processId' in taken) throw keystoreError('KEY_IN_USE', { address, ...taken })
  const path = portPath(folder, address)
  return {
    announce: async (healthPort) => {
      const draft = `${path}.new`
      await aboutPath(draft, async () => {
        await rm(draft, { force: true })
        const record = JSON.stringify({ processId: process.pid, healthPort })
        await writeFile(draft, record, { mode: 0o600, flag: 'wx' })
        await rename(draft, path)
      })
    },
    release: async () => {
      await rm(path, { force: true })
      await taken.release()
    },
  }
}

/**
 * Miners of this machine that still run, in no order.
 *
 * @throws the error of a folder that is there and cannot be read: nobody can say then that no miner runs
 */
export async function runningMiners(folder: string): Promise<readonly MinerRecord[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const addresses = names
    .filter((name) => name.endsWith(LOCK))
    .map((name) => name.slice(0, -LOCK.length))
    .filter(isAddress)
  const records = await Promise.all(addresses.map((address) => recordOf(folder, address)))
  return records.flatMap((record) => record ?? [])
}

async function recordOf(folder: string, address: Address): Promise<MinerRecord | null> {
  const processId = (await fileLockHolder(join(folder, address + LOCK)))?.processId ?? null
  if (processId === null) return null
  const announced = portIn(await readFile(portPath(folder, address), 'utf8').catch(() => ''), processId)
  return { address, processId, healthPort: announced }
}

/** Null for what another process left, and for what a system that lost power left of it. */
function portIn(text: string, processId: number): number | null {
  try {
    const { processId: of, healthPort } = JSON.parse(text) as Record<string, unknown>
    return of === processId && Number.isSafeInteger(healthPort) ? (healthPort as number) : null
  } catch {
    return null
  }
}

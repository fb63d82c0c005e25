import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { heldBytes } from './held-bytes.ts'

/**
 * Returns the folder that keeps dumps between runs; it belongs to this user alone, unlike the folder of temporary
 * files.
 */
async function cacheFolder(): Promise<string | null> {
  const userId = process.getuid?.()
  const folder = join(tmpdir(), `hailstone-cache-${userId ?? 'user'}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  const isOurs = userId === undefined || (found.uid === userId && (found.mode & 0o022) === 0)
  return found.isDirectory() && isOurs ? folder : null
}

async function read(path: string): Promise<Blob | null> {
  try {
    return heldBytes(await readFile(path))
  } catch {
    return null
  }
}

/** Written aside and moved, so a run that is cut off leaves no half dump. */
async function write(path: string, dump: Blob): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, new Uint8Array(await dump.arrayBuffer()))
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

export type DatabaseSeed = {
  /** Goes to the engine's `loadDataDir`. */
  readonly dump: Blob
  /** Throws the dump away, for one that turned out to be damaged. */
  readonly discard: () => Promise<void>
}

/**
 * A fresh database as a dump, which loads several times faster than the engine's own set-up runs. Made once by
 * `create` and kept in a cache; without a usable cache it is answered all the same.
 *
 * @param contents what the dump depends on: engine version and schema
 */
export async function databaseSeed(contents: string, create: () => Promise<PGlite>): Promise<DatabaseSeed> {
  const name = `database-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.tar`
  const folder = await cacheFolder().catch(() => null)
  const path = folder === null ? null : join(folder, name)
  const discard = async () => {
    if (path !== null) await rm(path, { force: true })
  }
  const cached = path === null ? null : await read(path)
  if (cached !== null) return { dump: cached, discard }
  const database = await create()
  const dump = await database.dumpDataDir('none')
  await database.close()
  // A full disk must not keep the network from starting.
  if (path !== null) await write(path, dump).catch(() => {})
  return { dump, discard }
}

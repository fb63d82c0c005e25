import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hostError } from '@hailstone/protocol'

/** Folders this process holds: a lock with our own number may be the leftover of an earlier life. */
const held = new Set<string>()

/** When a process started, in ticks since boot; tells it from a later one of the same number. Linux alone. */
async function startOf(processId: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${processId}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isStale(content: string, path: string): Promise<boolean> {
  const [number = '', start = ''] = content.split(' ')
  const processId = Number(number)
  if (!Number.isSafeInteger(processId) || processId <= 0) return true
  if (processId === process.pid) return !held.has(path)
  return !isRunning(processId) || (start !== '' && (await startOf(processId)) !== start)
}

/** A hard link appears with its content, so nobody ever reads a half-written lock. */
async function create(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomUUID()}`
  await writeFile(draft, content)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Moves a dead process's lock away. If another starter was quicker, its fresh lock is put back. */
async function clearStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if ((await textOf(aside)) !== stale) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}

/**
 * Takes a folder for this process alone and answers how to give it back. The database engine has no lock of its
 * own: a second process would open the same files and leave them unreadable. The lock of a process that was
 * killed is recovered.
 *
 * @throws {NodeError} `STORE_LOCKED` while another process holds the folder
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const path = join(resolve(folder), 'lock')
  const content = `${process.pid} ${await startOf(process.pid)}`
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await create(path, content)) {
      held.add(path)
      return async () => {
        if (held.delete(path)) await rm(path, { force: true })
      }
    }
    const found = await textOf(path)
    if (found === null) continue
    if (!(await isStale(found, path)))
      throw hostError('STORE_LOCKED', { folder, processId: Number(found.split(' ')[0]) })
    await clearStale(path, found)
  }
  throw hostError('STORE_LOCKED', { folder, processId: 0 })
}

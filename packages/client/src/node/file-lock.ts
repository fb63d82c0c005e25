import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** Locks this process holds: one with our own number may be the leftover of an earlier life. */
const held = new Set<string>()

/** Who has a lock when it is refused; null when that changed too quickly to tell. */
export type LockHolder = { readonly processId: number | null }

/** A lock that was taken, and how to give it back. */
export type FileLock = { readonly release: () => Promise<void> }

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

/** When a process started, in ticks since boot; tells it from a later one of the same number. Linux alone. */
async function startOf(processId: number): Promise<string> {
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return codeOf(error) === 'EPERM'
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
  await writeFile(draft, content, { mode: 0o600 })
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

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Moves a dead process's lock away. If another starter was quicker, its fresh lock is put back. */
async function clearStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await textOf(aside)) !== stale) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Who has a lock file now; null when nobody has: it is not there, or its process was killed. */
export async function fileLockHolder(path: string): Promise<LockHolder | null> {
  const found = await textOf(path)
  return found === null || (await isStale(found, path)) ? null : holderIn(found)
}

const holderIn = (content: string): LockHolder => ({ processId: Number(content.split(' ')[0]) })

const ATTEMPTS = 4

/**
 * Takes a lock file for this process alone; that of a process which was killed is recovered. Nothing waits:
 * when another process has it, that process is named instead.
 *
 * @param path absolute, of the lock file itself
 */
export async function takeFileLock(path: string): Promise<FileLock | LockHolder> {
  const content = `${process.pid} ${await startOf(process.pid)}`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(path, content)) {
      held.add(path)
      return {
        release: async () => {
          if (held.delete(path)) await rm(path, { force: true })
        },
      }
    }
    const found = await textOf(path)
    if (found === null) continue
    if (!(await isStale(found, path))) return holderIn(found)
    await clearStale(path, found)
  }
  return { processId: null }
}

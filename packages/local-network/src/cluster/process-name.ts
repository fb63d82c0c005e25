import { randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'

/**
 * Returns the scope within which process numbers are comparable: one boot of one machine, one container of it. Linux
 * only.
 */
async function readRealm(): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()}/${await readlink('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

let known: Promise<string | null> | undefined
/** As above; a process stays in its scope, so that is read once. */
const realm = (): Promise<string | null> => {
  known ??= readRealm()
  return known
}

/** A name that no other process ever has. */
export async function processName(): Promise<string> {
  return [(await realm()) ?? '?', process.pid, randomUUID()].join(' ')
}

/**
 * True if a name belongs to a process of this machine that has ended. False if that is not decidable, as for other
 * machines.
 */
export async function isKnownDead(name: string): Promise<boolean> {
  const [place, number] = name.split(' ')
  if (place === undefined || place === '?' || place !== (await realm())) return false
  const processId = Number(number)
  if (!Number.isSafeInteger(processId) || processId <= 0 || processId === process.pid) return false
  try {
    process.kill(processId, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

// What a phone does to a browser, for any engine: it stops its processes, and lets them run for a part of the time.
import { readdirSync, readFileSync } from 'node:fs'

/** Longest time for which a slowed process stands still at once, in ms: shorter than anything that a person notices. */
const STANDSTILL_MS = 30
/** Processes that a browser starts meanwhile are found so often, in ms. */
const LOOK_EVERY_MS = 500

function parentOf(id: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name of the program stands in brackets and may hold anything.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

/** Returns the processes that a process started, and those that these started. */
export function descendantsOf(root: number): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(all.map((name) => [Number(name), parentOf(Number(name))]))
  const found = new Set([root])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const [id, parent] of parents) if (parent !== undefined && found.has(parent)) found.add(id)
  }
  found.delete(root)
  return [...found]
}

function signal(ids: Iterable<number>, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const id of ids) {
    try {
      process.kill(id, name)
    } catch {
      // It has ended.
    }
  }
}

/** Processes that are stopped and slowed from outside. */
export type Brake = {
  /** Stops all of them for some time, as a phone does that has something better to do. */
  readonly freeze: (ms: number) => Promise<void>
  /** Lets all of them run. */
  readonly release: () => void
}

/**
 * Slows processes down: each second they run for `1 / slowdown` of it.
 *
 * @param ids looks the processes up
 */
export function brake(ids: () => readonly number[], slowdown: number): Brake {
  let known = ids()
  let isFrozen = false
  const looking = setInterval(() => {
    known = ids()
    if (isFrozen) signal(known, 'SIGSTOP')
  }, LOOK_EVERY_MS)
  const everyMs = (STANDSTILL_MS * slowdown) / (slowdown - 1)
  let resuming: NodeJS.Timeout | undefined
  const slowing =
    slowdown > 1
      ? setInterval(() => {
          if (isFrozen) return
          signal(known, 'SIGSTOP')
          resuming = setTimeout(() => {
            if (!isFrozen) signal(known, 'SIGCONT')
          }, STANDSTILL_MS)
        }, everyMs)
      : undefined
  return {
    freeze: async (ms) => {
      isFrozen = true
      signal(ids(), 'SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      isFrozen = false
      signal(ids(), 'SIGCONT')
    },
    release: () => {
      clearInterval(looking)
      clearInterval(slowing)
      clearTimeout(resuming)
      signal(ids(), 'SIGCONT')
    },
  }
}

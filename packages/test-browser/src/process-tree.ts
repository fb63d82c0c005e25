// Slows and stops the processes of a browser, as a phone does with an app; from outside, so that it works with any engine.
import { readdirSync, readFileSync } from 'node:fs'

/** Time for which slowed processes are stopped at once, in ms; a person would not notice so short a pause. */
const STANDSTILL_MS = 30
/** Time between two looks for processes that a slowed browser started, in ms. */
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
  /** Stops all of them for some time, as a phone does with an app in the background. */
  readonly freeze: (ms: number) => Promise<void>
  /** Lets all of them run. */
  readonly release: () => void
}

/**
 * Slows processes down: they run for `1 / slowdown` of the time.
 *
 * @param ids returns the processes as they are now
 */
export function brake(ids: () => readonly number[], slowdown: number): Brake {
  let known: readonly number[] = []
  let isFrozen = false
  const timers: NodeJS.Timeout[] = []
  if (slowdown > 1) {
    const look = (): void => {
      known = ids()
    }
    const pause = (): void => {
      if (isFrozen) return
      signal(known, 'SIGSTOP')
      timers[0] = setTimeout(() => {
        if (!isFrozen) signal(known, 'SIGCONT')
      }, STANDSTILL_MS)
    }
    look()
    timers[1] = setInterval(pause, (STANDSTILL_MS * slowdown) / (slowdown - 1))
    timers[2] = setInterval(look, LOOK_EVERY_MS)
  }
  const release = (): void => {
    for (const timer of timers) clearTimeout(timer)
    process.off('exit', release)
    signal(ids(), 'SIGCONT')
  }
  // A browser that is stopped cannot end by itself.
  process.once('exit', release)
  return {
    freeze: async (ms) => {
      isFrozen = true
      signal(ids(), 'SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      isFrozen = false
      signal(ids(), 'SIGCONT')
    },
    release,
  }
}

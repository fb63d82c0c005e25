import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Above this many percent of the last ten seconds a figure says more about the machine than about the contestants. */
export const HIGHEST_PRESSURE = 20

/**
 * Returns the share of the last ten seconds in which some task waited for a processor, in percent; null if the system
 * does not report it.
 */
export function cpuPressure(): number | null {
  try {
    const found = /some avg10=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]
    return found === undefined ? null : Number(found)
  } catch {
    return null
  }
}

export const isQuiet = (pressure: number | null): boolean => pressure === null || pressure <= HIGHEST_PRESSURE

/** Waits until the machine is quiet, at most so long; false when it did not become so. */
export async function quietMachine({ quietWaitMs }: { readonly quietWaitMs: number }): Promise<boolean> {
  const giveUpAt = performance.now() + quietWaitMs
  while (!isQuiet(cpuPressure())) {
    if (performance.now() > giveUpAt) return false
    await sleep(1_000)
  }
  return true
}

import { cpuMs, threadMs } from './process-figures.ts'

const TICK_MS = 5

/** The longest turns of this process's event loop since the last reset. */
export type Turns = {
  /** Longest time between two turns, in which other processes of the machine may have run. */
  readonly longestGapMs: number
  /** Processor time of the longest of these turns, of the thread of the event loop where the system reports it. */
  readonly longestTurnMs: number
  /** Processor time since the reset as a share of one core. */
  readonly cpuShare: number
}

/** Watches the event loop for as long as the process lives. */
export function watchTurns(): { readonly reset: () => void; readonly turns: () => Turns } {
  const now = () => ({ atMs: performance.now(), threadMs: threadMs(), cpuMs: cpuMs() })
  let longest = { gapMs: 0, turnMs: 0 }
  let last = now()
  let begun = last
  const look = (): void => {
    const next = now()
    longest = {
      gapMs: Math.max(longest.gapMs, next.atMs - last.atMs - TICK_MS),
      turnMs: Math.max(longest.turnMs, next.threadMs - last.threadMs),
    }
    last = next
  }
  setInterval(look, TICK_MS)
  return {
    reset: () => {
      longest = { gapMs: 0, turnMs: 0 }
      last = now()
      begun = last
    },
    turns: () => {
      look()
      return {
        longestGapMs: longest.gapMs,
        longestTurnMs: longest.turnMs,
        cpuShare: (last.cpuMs - begun.cpuMs) / (last.atMs - begun.atMs),
      }
    },
  }
}

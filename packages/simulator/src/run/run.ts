import { type Chance, chanceOf } from './chance.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** Invariants, as GUIDE.md lists them. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5'

export type Violation = { readonly invariant: Invariant; readonly what: string; readonly atMs: number }

/** One run of a seed: random numbers, virtual time, and the trace. */
export type Run = {
  readonly chance: Chance
  readonly time: VirtualTime
  /** Appends a line to the trace. The same seed writes the same lines. */
  readonly note: (who: string, what: string) => void
  readonly violate: (invariant: Invariant, what: string) => void
  readonly trace: readonly string[]
  readonly violations: readonly Violation[]
  /** Number of faults injected into the programs. */
  readonly faults: () => number
  readonly fault: (who: string, what: string) => void
}

/** Limit of reported violations, since a program may violate an invariant repeatedly. */
const MAX_VIOLATIONS = 20

export function createRun(seed: number): Run {
  const chance = chanceOf(seed)
  const time = createVirtualTime()
  const trace: string[] = []
  const violations: Violation[] = []
  let faults = 0
  const note = (who: string, what: string): void => {
    trace.push(`${(time.now() / 1_000).toFixed(6)} ${who}: ${what}`)
  }
  return {
    chance,
    time,
    trace,
    violations,
    note,
    faults: () => faults,
    fault: (who, what) => {
      faults++
      note(who, what)
    },
    violate: (invariant, what) => {
      if (violations.length >= MAX_VIOLATIONS) return
      violations.push({ invariant, what, atMs: time.now() })
      note('VIOLATION', `${invariant} ${what}`)
    },
  }
}

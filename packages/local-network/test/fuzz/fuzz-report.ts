/** Above this an answer counts as slow, once a repetition confirms it. */
const SLOW_MS = 100
const MAX_LISTED = 5

type Slow = { readonly ms: number; readonly what: string }

export type FuzzReport = {
  /** By endpoint or message. */
  readonly cases: ReadonlyMap<string, number>
  /** By status or outcome. */
  readonly outcomes: ReadonlyMap<string, number>
  /** The longest first. */
  readonly slowest: readonly Slow[]
  /** Slow four times in a row: not the machine, the case. */
  readonly confirmedSlow: readonly Slow[]
  readonly failures: readonly string[]
}

export type FuzzLog = {
  readonly count: (name: string, outcome: string) => void
  readonly fail: (what: string) => void
  /** Takes the time of a case; a slow one is tried again. */
  readonly timed: <T>(what: string, run: () => Promise<T>) => Promise<T>
  readonly report: () => FuzzReport
}

export function createFuzzLog(): FuzzLog {
  const cases = new Map<string, number>()
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  const confirmedSlow: Slow[] = []
  let slowest: Slow[] = []
  const add = (map: Map<string, number>, name: string) => void map.set(name, (map.get(name) ?? 0) + 1)
  async function measured<T>(run: () => Promise<T>): Promise<readonly [T, number]> {
    const before = performance.now()
    const result = await run()
    return [result, performance.now() - before]
  }
  return {
    count(name, outcome) {
      add(cases, name)
      add(outcomes, outcome)
    },
    fail: (what) => void failures.push(what),
    async timed(what, run) {
      const [result, ms] = await measured(run)
      if (ms > (slowest.at(-1)?.ms ?? 0) || slowest.length < MAX_LISTED)
        slowest = [...slowest, { ms, what }].sort((a, b) => b.ms - a.ms).slice(0, MAX_LISTED)
      if (ms > SLOW_MS) {
        const again = [(await measured(run))[1], (await measured(run))[1], (await measured(run))[1]]
        if (Math.min(...again) > SLOW_MS) confirmedSlow.push({ ms: Math.min(...again), what })
      }
      return result
    },
    report: () => ({ cases, outcomes, slowest, confirmedSlow, failures }),
  }
}

/** Returns the summary of a long run. */
export function describeFuzz(
  name: string,
  { cases, outcomes, slowest, confirmedSlow, failures }: FuzzReport,
): string {
  const total = [...cases.values()].reduce((sum, count) => sum + count, 0)
  const tell = ({ ms, what }: Slow) => `  ${ms.toFixed(1)} ms  ${what.slice(0, 160)}`
  return [
    `${name}: ${total} cases over ${cases.size} kinds`,
    `  ${[...outcomes]
      .sort()
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join(', ')}`,
    `  over 100 ms again and again: ${confirmedSlow.length}`,
    ...confirmedSlow.slice(0, MAX_LISTED).map(tell),
    '  slowest:',
    ...slowest.map(tell),
    `  failures: ${failures.length}`,
    ...failures.slice(0, MAX_LISTED).map((failure) => `  ${failure.slice(0, 300)}`),
  ].join('\n')
}

import type { Drawn, FaultRule, FaultScript } from './fault-script.ts'
import type { NetworkPart } from './network-part.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

/** Part of a clock that faults need. */
export type FaultClock = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Runs `action` once after the delay. The returned function cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
}

/** A fault that happened. Holds nothing that depends on time, so two runs can be compared. */
export type Fired = {
  /** From 1, in the order in which they began. */
  readonly number: number
  /** Index of the rule in the script. */
  readonly rule: number
  readonly name?: string | undefined
  readonly fault: string
  readonly on: NetworkPart
  /** For example `POST /api/v1/tx`, or `toMiner on_leader_beacon`. */
  readonly subject: string
  /** Which of those that fit the rule, from 1. */
  readonly occurrence: number
  /** Drawn values and details of the fault. */
  readonly detail: Readonly<Record<string, number | string>>
}

/** A fault that is to happen now, with its own random numbers. */
export type ActiveFault = {
  readonly kind: string
  readonly options: unknown
  readonly random: SeededRandom
  /** Draws a number and writes it into the log. */
  readonly draw: (name: string, range: Drawn) => number
  readonly note: (name: string, value: number | string) => void
}

export type FaultEngine = {
  readonly set: (script: FaultScript) => void
  readonly clear: () => void
  readonly script: () => FaultScript | null
  readonly fired: () => readonly Fired[]
  /** Rules that fit, one occurrence further each. Their order is that of the script. */
  readonly match: <On extends FaultRule['on']>(
    on: On,
    fits: (rule: Extract<FaultRule, { on: On }>) => boolean,
    subject: string,
  ) => readonly ActiveFault[]
  readonly hasRule: (fits: (rule: FaultRule) => boolean) => boolean
  /** Runs an action after a while, unless the engine is stopped before. */
  readonly later: (delayMs: number, action: () => void) => void
  readonly wait: (delayMs: number) => Promise<void>
  /** Ends every waiting; for good. */
  readonly stop: () => void
}

/** Older entries of the log are forgotten. */
const LONGEST_LOG = 100_000

type CountedRule = { readonly rule: FaultRule; readonly index: number; seen: number }

export const kindOf = (rule: FaultRule): string => Object.keys(rule.fault)[0] ?? ''

const isDrawn = (
  { nth, every, probability, from, until }: NonNullable<FaultRule['match']>,
  occurrence: number,
  random: SeededRandom,
): boolean =>
  (nth === undefined || occurrence === nth) &&
  (every === undefined || occurrence % every === 0) &&
  (from === undefined || occurrence >= from) &&
  (until === undefined || occurrence <= until) &&
  (probability === undefined || random.next() < probability)

const isInTime = (
  { fromMs = 0, untilMs = Infinity }: NonNullable<FaultRule['match']>,
  ageMs: number,
): boolean => ageMs >= fromMs && ageMs < untilMs

/** @param clock measures delays and the time windows of rules */
export function createFaultEngine(clock: FaultClock): FaultEngine {
  let script: FaultScript | null = null
  let rules: CountedRule[] = []
  let log: Fired[] = []
  let firedCount = 0
  let setAt = clock.now()
  let isStopped = false
  const waiting = new Set<() => void>()

  const begin = (next: FaultScript | null): void => {
    script = next
    rules = (next?.rules ?? []).map((rule, index) => ({ rule, index, seen: 0 }))
    log = []
    firedCount = 0
    setAt = clock.now()
  }

  const activate = (counted: CountedRule, subject: string): ActiveFault | null => {
    const { rule, index } = counted
    const match = rule.match ?? {}
    if (!isInTime(match, clock.now() - setAt)) return null
    const occurrence = ++counted.seen
    // A stream for each occurrence: what one fault draws never changes what another one draws.
    const random = createSeededRandom(`${script?.seed ?? ''} rule ${index} occurrence ${occurrence}`)
    if (!isDrawn(match, occurrence, random)) return null
    const kind = kindOf(rule)
    const detail: Record<string, number | string> = {}
    const name = rule.name === undefined ? {} : { name: rule.name }
    log.push({
      number: ++firedCount,
      rule: index,
      ...name,
      fault: kind,
      on: rule.on,
      subject,
      occurrence,
      detail,
    })
    if (log.length > LONGEST_LOG) log.shift()
    return {
      kind,
      options: (rule.fault as Readonly<Record<string, unknown>>)[kind],
      random,
      draw: (what, range) => (detail[what] = typeof range === 'number' ? range : random.integer(...range)),
      note: (what, value) => {
        detail[what] = value
      },
    }
  }

  const later = (delayMs: number, action: () => void): void => {
    if (isStopped) return
    const cancel = clock.after(delayMs, () => {
      waiting.delete(cancel)
      action()
    })
    waiting.add(cancel)
  }

  return {
    set: begin,
    clear: () => begin(null),
    script: () => script,
    fired: () => log.map((entry) => ({ ...entry, detail: { ...entry.detail } })),
    match: (on, fits, subject) =>
      rules
        .filter(({ rule }) => rule.on === on && fits(rule as Extract<FaultRule, { on: typeof on }>))
        .map((counted) => activate(counted, subject))
        .filter((fault) => fault !== null),
    hasRule: (fits) => rules.some(({ rule }) => fits(rule)),
    later,
    wait: (delayMs) => new Promise((resolve) => later(delayMs, resolve)),
    stop() {
      isStopped = true
      begin(null)
      for (const cancel of waiting) cancel()
      waiting.clear()
    },
  }
}

import { type Interval, median, ratioInterval } from './statistics.ts'

/** One contestant's samples, all of the unit of the benchmark. */
export type Score = {
  readonly name: string
  readonly version?: string | undefined
  readonly samples: readonly number[]
  /** More about it in the words of the benchmark, such as requests or bytes. */
  readonly note?: string | undefined
}

/** Goal of a benchmark, as a ratio of two contestants. */
export type Goal = {
  readonly what: string
  readonly over: string
  readonly under: string
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

export type Verdict = 'reached' | 'missed' | 'not measurable'

export type JudgedGoal = Goal & { readonly ratio: Interval; readonly verdict: Verdict }

export type Outcome = {
  /** The row of the table of goals: `P-1`. */
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly isMoreBetter: boolean
  readonly scores: readonly Score[]
  readonly goals: readonly JudgedGoal[]
  /** CPU pressure before and after each round, in percent. */
  readonly pressures: readonly (number | null)[]
  readonly wasQuiet: boolean
  readonly notes: readonly string[]
  /** ISO 8601; a page is made of runs of different times. */
  readonly measuredAt?: string | undefined
}

/** A goal is reached when the worse end of the interval reaches it. */
export function judge(goal: Goal, scores: readonly Score[], wasQuiet: boolean): JudgedGoal {
  const samplesOf = (name: string): readonly number[] => {
    const score = scores.find((one) => one.name === name)
    if (score === undefined) throw new RangeError(`no contestant is called ${name}`)
    return score.samples
  }
  const ratio = ratioInterval(samplesOf(goal.over), samplesOf(goal.under))
  const judged = isWithin(goal, ratio) ? 'reached' : 'missed'
  return { ...goal, ratio, verdict: wasQuiet ? judged : 'not measurable' }
}

/** True if the worse end of the interval reaches the goal, on any machine. */
export const isWithin = (
  { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Goal,
  ratio: Interval,
): boolean => ratio.low >= atLeast && ratio.high <= atMost

export type OutcomeParameters = Omit<Outcome, 'goals' | 'notes'> & {
  readonly goals: readonly Goal[]
  readonly notes?: readonly string[] | undefined
}

export function outcomeOf(parameters: OutcomeParameters): Outcome {
  const { goals, scores, wasQuiet, notes = [] } = parameters
  const present = new Set(scores.map(({ name }) => name))
  const absent = goals.filter(({ over, under }) => !present.has(over) || !present.has(under))
  return {
    ...parameters,
    goals: goals.filter((goal) => !absent.includes(goal)).map((goal) => judge(goal, scores, wasQuiet)),
    notes: [...notes, ...absent.map(({ what }) => `not judged, a contestant was absent: ${what}`)],
  }
}

export const typical = (score: Score): number => median(score.samples)

import { cpuPressure, isQuiet, quietMachine } from './pressure.ts'
import { seededRandomness } from './statistics.ts'

/** Somebody who does the same work as the others. */
export type Contestant = {
  readonly name: string
  readonly version?: string | undefined
  /** Does the work so many times. */
  readonly run: (times: number) => unknown
  /** True if its answers are right; a wrong contestant ends the benchmark. */
  readonly check: () => boolean | Promise<boolean>
}

export type ContestParameters = {
  readonly contestants: readonly Contestant[]
  readonly settings: ContestSettings
  /** Called after each round, for people who wait. */
  readonly onRound?: ((round: number) => void) | undefined
}

export type ContestSettings = {
  readonly rounds: number
  /** CPU time of one round of one contestant at least. */
  readonly minRoundMs: number
  /** Longest wait for a quiet machine, before the first round and before each repeated one, in ms. */
  readonly quietWaitMs: number
}

export type ContestResult = {
  /** Work per CPU second, one number for each round, by contestant. */
  readonly samples: ReadonlyMap<string, readonly number[]>
  readonly pressures: readonly (number | null)[]
  readonly wasQuiet: boolean
}

/** Warming up takes this many rounds' time. */
const WARMING = 3

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function timed(contestant: Contestant, times: number): Promise<number> {
  const before = cpuMs()
  await contestant.run(times)
  return cpuMs() - before
}

/** Returns the number of repetitions that make a round long enough to be measured. */
async function timesFor(contestant: Contestant, minRoundMs: number): Promise<number> {
  for (let times = 1; ; times *= 2) {
    const took = await timed(contestant, times)
    if (took >= minRoundMs / 2) return Math.max(1, Math.ceil((times * minRoundMs) / took))
  }
}

function shuffled<T>(values: readonly T[], randomness: () => number): readonly T[] {
  return values
    .map((value) => ({ value, place: randomness() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

/**
 * Lets contestants do the same work in turns, in another order each round, and counts it per second of this
 * process' CPU time. A round on a busy machine is done again.
 *
 * @throws {Error} when an answer is wrong
 */
export async function holdContest(parameters: ContestParameters): Promise<ContestResult> {
  const { contestants, settings, onRound } = parameters
  for (const { name, check } of contestants) {
    if (!(await check())) throw new Error(`${name} gives a wrong answer`)
  }
  const times = new Map<string, number>()
  for (const one of contestants) {
    // Nobody is judged by code that is not compiled yet.
    await one.run(await timesFor(one, WARMING * settings.minRoundMs))
    times.set(one.name, await timesFor(one, settings.minRoundMs))
  }
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]))
  const pressures: (number | null)[] = []
  const randomness = seededRandomness(contestants.length)
  let wasQuiet = await quietMachine(settings)
  let repeatsLeft = settings.rounds
  for (let round = 0; round < settings.rounds; round++) {
    const taken = new Map<string, number>()
    const before = cpuPressure()
    for (const one of shuffled(contestants, randomness)) {
      const count = times.get(one.name) ?? 1
      taken.set(one.name, (1_000 * count) / (await timed(one, count)))
    }
    const after = cpuPressure()
    pressures.push(before, after)
    if (wasQuiet && !(isQuiet(before) && isQuiet(after))) {
      wasQuiet = repeatsLeft-- > 0 && (await quietMachine(settings))
      if (wasQuiet) {
        round--
        continue
      }
    }
    for (const [name, rate] of taken) samples.get(name)?.push(rate)
    onRound?.(round)
  }
  return { samples, pressures, wasQuiet }
}

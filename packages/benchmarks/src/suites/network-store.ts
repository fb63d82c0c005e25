import { type Goal, type Outcome, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import type { SuiteParameters } from '../suite.ts'
import { benchOf } from './network-bench.ts'

type HistoryTimes = {
  readonly engine: string
  readonly rows: number
  readonly medianMs: Readonly<Record<string, number>>
}
type ChainStart = {
  readonly engine: string
  readonly blocks: number
  readonly transactions: number
  readonly rows: number
  readonly bytes: number
  readonly startMs: readonly number[]
}

type Run<T> = {
  readonly measured: T
  readonly pressures: readonly (number | null)[]
  readonly wasQuiet: boolean
}

async function onQuietMachine<T>({ settings }: SuiteParameters, work: () => Promise<T>): Promise<Run<T>> {
  const wasQuiet = await quietMachine(settings)
  const before = cpuPressure()
  const measured = await work()
  const pressures = [before, cpuPressure()]
  return { measured, pressures, wasQuiet: wasQuiet && pressures.every(isQuiet) }
}

const ms = (value: number): string => `${value.toFixed(2)} ms`

/** Scores each query by its time on the longest chain and on the shorter ones. */
function questionScores(measured: readonly HistoryTimes[]): readonly Score[] {
  return [...new Set(measured.map(({ engine }) => engine))].flatMap((engine) => {
    const chains = measured.filter((one) => one.engine === engine)
    const longest = chains.at(-1)
    return Object.entries(longest?.medianMs ?? {}).map(([question, atLast]) => ({
      name: `${engine}: ${question}`,
      samples: [atLast],
      note: chains.map(({ rows, medianMs }) => `${rows}: ${ms(medianMs[question] ?? 0)}`).join(', '),
    }))
  })
}

/** By engine, how much longer the question that grew most takes on a longer chain than on the shortest. */
function growthScores(measured: readonly HistoryTimes[]): readonly Score[] {
  return [...new Set(measured.map(({ engine }) => engine))].map((engine) => {
    const [first, ...longer] = measured.filter((one) => one.engine === engine)
    const factors = Object.entries(first?.medianMs ?? {}).flatMap(([question, atFirst]) =>
      longer.map(({ medianMs }) => ({ question, factor: (medianMs[question] ?? 0) / atFirst })),
    )
    const worst = factors.reduce((one, other) => (other.factor > one.factor ? other : one))
    return { name: `${engine}: the most that a question grew`, samples: [worst.factor], note: worst.question }
  })
}

export async function historyQueries(parameters: SuiteParameters): Promise<Outcome> {
  parameters.tell('N-4 chains of up to a million rows are made, which takes minutes')
  const { measureHistories } = await benchOf<{
    readonly measureHistories: () => Promise<readonly HistoryTimes[]>
  }>('history-queries')
  const { measured, pressures, wasQuiet } = await onQuietMachine(parameters, () => measureHistories())
  const growths = growthScores(measured)
  const once: Score = { name: 'the shortest chain', samples: [1] }
  const goals: readonly Goal[] = growths.map(({ name }) => ({
    what: `${name.split(':')[0]}: the slowest of all within twice the shortest chain's`,
    over: name,
    under: once.name,
    atMost: 2,
  }))
  const shown = questionScores(measured)
  const outcome = outcomeOf({
    id: 'N-4',
    title: 'Questions about histories of 1,000, 100,000 and 1,000,000 rows',
    unit: 'ms',
    isMoreBetter: false,
    scores: [once, ...growths],
    goals,
    pressures,
    wasQuiet,
    notes: ['medians of 60 rounds, chains and questions in turns; figures at the longest chain'],
  })
  return { ...outcome, scores: shown }
}

export async function chainStarts(parameters: SuiteParameters): Promise<Outcome> {
  parameters.tell('N-5 chains of 100,000 macroblocks are made, which takes minutes')
  const { measureStarts } = await benchOf<{ readonly measureStarts: () => Promise<readonly ChainStart[]> }>(
    'chain-start',
  )
  const { measured, pressures, wasQuiet } = await onQuietMachine(parameters, () => measureStarts())
  const scores = measured.map(({ engine, startMs }) => ({ name: `start over ${engine}`, samples: startMs }))
  const notes = measured.map(({ engine, blocks, transactions, rows, bytes }) => {
    const of10k = (total: number): number => (total / blocks) * 10_000
    const each = transactions / blocks
    return `${engine}: ${(of10k(bytes) / 1e6).toFixed(1)} MB and ${Math.round(of10k(rows)).toLocaleString('en-US')} rows for 10,000 macroblocks of ${each} payments`
  })
  const blocks = measured[0]?.blocks.toLocaleString('en-US') ?? ''
  return outcomeOf({
    id: 'N-5',
    title: `From the call to the first answer, with ${blocks} macroblocks stored`,
    unit: 'ms',
    isMoreBetter: false,
    scores,
    goals: [],
    pressures,
    wasQuiet,
    notes,
  })
}

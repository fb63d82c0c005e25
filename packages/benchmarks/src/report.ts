import { explanations } from './explanations.ts'
import { isWithin, type JudgedGoal, type Outcome, type Score, typical } from './outcome.ts'
import { percentile } from './statistics.ts'

const short = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)

const boundOf = ({ atLeast, atMost }: JudgedGoal): string =>
  atLeast === undefined ? `≤ ${short(atMost ?? 0)}` : `≥ ${short(atLeast)}`

function scoreLine(score: Score, unit: string): string {
  const { name, version, samples, note } = score
  const middle = typical(score)
  const spread =
    samples.length < 3 ? '' : `${short(percentile(samples, 25))} – ${short(percentile(samples, 75))}`
  return `| ${[name, version ?? '', `${short(middle)} ${unit}`, spread, note ?? ''].join(' | ')} |`
}

const goalLine = (goal: JudgedGoal): string => {
  const { median, low, high } = goal.ratio
  const measured = `${short(median)} (${short(low)} – ${short(high)})`
  return `| ${goal.what} | ${boundOf(goal)} | ${measured} | **${goal.verdict}** |`
}

function explanationOf(id: string, goal: JudgedGoal): readonly string[] {
  const { what, ratio } = goal
  const why = explanations[`${id} ${what}`]
  return isWithin(goal, ratio) || why === undefined ? [] : [`*${what}*: ${why}`]
}

/** One benchmark as Markdown that is readable in a terminal, too. */
export function outcomeText(outcome: Outcome): string {
  const { id, title, unit, scores, goals, notes, pressures, wasQuiet, measuredAt } = outcome
  const known = pressures.filter((one) => one !== null)
  const load =
    known.length === 0
      ? []
      : [
          `CPU pressure ${Math.min(...known)} – ${Math.max(...known)} %${wasQuiet ? '' : ', too busy to judge'}`,
        ]
  const when = measuredAt === undefined ? [] : [`measured ${measuredAt.slice(0, 16).replace('T', ' at ')}`]
  return [
    `### ${id} ${title}`,
    '',
    '| who | version | median | half of all | |',
    '| --- | --- | --- | --- | --- |',
    ...scores.map((score) => scoreLine(score, unit)),
    '',
    ...(goals.length === 0
      ? []
      : ['| goal | ratio | measured (95 %) | |', '| --- | --- | --- | --- |', ...goals.map(goalLine), '']),
    ...[...goals.flatMap((goal) => explanationOf(id, goal)), ...notes, ...load, ...when].map(
      (note) => `- ${note}`,
    ),
    '',
  ].join('\n')
}

export type Run = {
  readonly at: string
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly node: string
    readonly system: string
  }
  readonly outcomes: readonly Outcome[]
}

/** The page that is kept beside the raw numbers; it is computed from them and from nothing else. */
export function runText({ at, machine, outcomes }: Run): string {
  return [
    '# Measured',
    '',
    `Written by \`npm run bench -- --write\` on ${at.slice(0, 10)} from \`results/latest.json\`. ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.system}.`,
    '',
    'Contestants run in turns, in another order each round. Throughput counts per second of CPU time, latency by the',
    'clock beside an echo that does nothing. A goal is reached when the worse end of the 95 % interval of the ratio',
    'reaches it; on a busy machine nothing is judged. Figures of different machines or days compare to nothing.',
    '',
    ...outcomes.map(outcomeText),
  ].join('\n')
}

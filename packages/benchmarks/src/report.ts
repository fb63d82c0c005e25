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

type Section = { readonly id: string; readonly text: string }

const sectionsOf = (page: string): readonly Section[] =>
  page
    .split(/^(?=### )/m)
    .slice(1)
    .map((text) => ({ id: /^### (\S+)/.exec(text)?.[1] ?? '', text: `${text.trimEnd()}\n` }))

/** Returns the page: what was measured now, and of an earlier page the sections of benchmarks that did not run. */
export function pageText({ at, machine, outcomes }: Run, earlier = ''): string {
  const measured = outcomes.map((outcome) => ({ id: outcome.id, text: outcomeText(outcome) }))
  const kept = sectionsOf(earlier).filter(({ id }) => measured.every((one) => one.id !== id))
  const sections = [...kept, ...measured].sort((one, other) =>
    one.id.localeCompare(other.id, 'en', { numeric: true }),
  )
  return [
    '# Measured',
    '',
    `Written by \`npm run bench -- --write\` on ${at.slice(0, 10)}. ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.system}.`,
    '',
    'Contestants run in turns, in another order each round. Throughput counts per second of CPU time, latency by the',
    'clock beside an echo that does nothing. A goal is reached when the worse end of the 95 % interval of the ratio',
    'reaches it; on a busy machine nothing is judged. Figures of different machines or days compare to nothing.',
    '',
    ...sections.map(({ text }) => text),
  ].join('\n')
}

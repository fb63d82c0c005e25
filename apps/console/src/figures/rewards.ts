import { DAY, DAYS_SHOWN, daysShown, JOIN_DAY } from './days.ts'
import { ask, column, dateOf, type Figure, type FigureContext, tableOf } from './figure.ts'

const kinds = ['mined', 'miner_half', 'agent_half', 'owner_part'] as const

/** Title of each kind of reward. */
const titles = {
  mined: 'Mining',
  miner_half: 'Half of miners',
  agent_half: 'Half of agents',
  owner_part: 'Part of the owner',
} as const

export async function rewards(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select ${dateOf('days.day')} as day,
      ${kinds.map((kind) => `coalesce(d.${kind}, 0)::text as ${kind}`).join(', ')}
    from ${DAYS_SHOWN} ${JOIN_DAY} order by days.day`,
    daysShown(context),
  )
  const columns = [DAY, ...kinds.map((kind) => column(kind, titles[kind], 'amount'))]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: kinds },
  }
}

const spans = [
  ['day', 'Today', 1],
  ['week', '7 days', 7],
  ['month', '30 days', 30],
  ['quarter', '90 days', 90],
] as const

/** Sums the rewards of the newest chain day, and of the 7, 30 and 90 days that end with it, by kind and in all. */
export async function rewardSums(context: FigureContext): Promise<Figure> {
  const [, last = 0] = daysShown(context)
  const sumsOf = (paid: string): string =>
    spans
      .map(([key, , days]) => `coalesce(sum(${paid}) filter (where day > ${last - days}), 0)::text as ${key}`)
      .join(', ')
  const rows = await ask(
    context,
    [...kinds, kinds.join(' + ')]
      .map(
        (paid, at) =>
          `select ${at} as at, ${sumsOf(paid)} from token_day where token = $1 and day between $2::int and $3::int`,
      )
      .join(' union all ')
      .concat(' order by at'),
    daysShown(context),
  )
  const columns = [
    column('kind', 'Kind', 'text'),
    ...spans.map(([key, title]) => column(key, title, 'amount')),
  ]
  const names = [...kinds.map((kind) => titles[kind]), 'In all']
  return tableOf(
    columns,
    rows.map((row, at) => ({ ...row, kind: names[at] ?? null })),
  )
}

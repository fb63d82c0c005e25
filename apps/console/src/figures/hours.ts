import { ask, column, type Figure, type FigureContext, tableOf } from './figure.ts'

const SECONDS_PER_HOUR = 3600
/** Hours that the figure has. */
const HOURS_SHOWN = 48

type Hour = {
  /** Hours since 1970. */
  readonly hour: number
  readonly active: number
  /** Mean of the same hour of the 7 days before; null before the index has them. */
  readonly usual: number | null
}

/** Returns the newest whole hours, the oldest first: the hour of the newest macroblock is not over. */
export async function hourValues(context: FigureContext, hours = HOURS_SHOWN): Promise<readonly Hour[]> {
  if (context.tipTime === null) return []
  const end = Math.floor(context.tipTime / SECONDS_PER_HOUR)
  const rows = await ask(
    context,
    `with first as (select hour from block order by height limit 1)
    select h.hour, coalesce((select active from token_hour where token = $1 and hour = h.hour), 0) as active,
      case when h.hour - 7 * 24 >= first.hour then (select coalesce(sum(active), 0)::float8 / 7 from token_hour
        where token = $1 and hour in (${[1, 2, 3, 4, 5, 6, 7].map((day) => `h.hour - 24 * ${day}`).join(', ')})) end as usual
    from generate_series($2::int, $3::int) as h (hour), first where h.hour >= first.hour order by h.hour`,
    [end - hours, end - 1],
  )
  return rows.map(({ hour, active, usual }) => ({
    ...{ hour: Number(hour), active: Number(active), usual: usual === null ? null : Number(usual) },
  }))
}

/** Returns the per cent by which the newest whole hour is below the usual one; null if nothing is usual yet. */
export async function fallOfMiners(context: FigureContext): Promise<number | null> {
  const { active, usual } = (await hourValues(context, 1))[0] ?? { active: 0, usual: null }
  return usual === null || usual === 0 ? null : fall(active, usual)
}

const fall = (active: number, usual: number): number => Math.round((100 * (usual - active)) / usual)

export async function hours(context: FigureContext): Promise<Figure> {
  const rows = (await hourValues(context)).map(({ hour, active, usual }) => ({
    hour: new Date(hour * SECONDS_PER_HOUR * 1000).toISOString().slice(0, 16).replace('T', ' '),
    active,
    usual: usual === null ? null : Math.round(usual * 10) / 10,
    fall: usual === null || usual === 0 ? null : fall(active, usual),
  }))
  const columns = [
    column('hour', 'Hour (UTC)', 'text'),
    column('active', 'Miners'),
    column('usual', 'Mean of this hour in 7 days', 'mean'),
    column('fall', 'Fewer by', 'percent'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: ['active', 'usual'] },
    notes: ['The newest 48 whole hours.'],
  }
}

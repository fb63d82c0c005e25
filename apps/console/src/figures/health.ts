import { ask, column, type Figure, type FigureContext, tableOf } from './figure.ts'
import { EMPTY_BAND } from './stakes.ts'

/** Macroblocks that figures of the newest time look at. */
const NEWEST = 240

export async function health(context: FigureContext): Promise<Figure> {
  const supply = String(context.supply)
  const shareOf = (top: number): string =>
    `(select round(100 * coalesce(sum(amount), 0) / nullif($2::numeric, 0), 1)::float8
        from (select amount from holding where token = $1 order by amount desc limit ${top}) t) as top${top}`
  const [row] = await ask(
    context,
    `with newest as (select max(height) - ${NEWEST} as height from block)
    select (select coalesce(sum(holders) filter (where band > ${EMPTY_BAND}), 0)::int from stake_band where token = $1) as holders,
      (select coalesce(sum(miners), 0)::int from stake_band where token = $1) as miners,
      (select count(distinct m.height)::int from microblock m, newest
        where m.token = $1 and m.height > newest.height) as mined,
      (select round(100 * coalesce(avg((t.status = 2)::int), 0), 1)::float8 from transfer t, newest
        where t.token = $1 and t.height > newest.height) as rejected,
      (select count(*)::int from unexplained where token = $1) as unexplained,
      ${[1, 10, 100].map(shareOf).join(',\n      ')}`,
    [supply],
  )
  const rows = [
    { name: 'Holders', value: String(row?.holders ?? 0) },
    { name: 'Miners so far', value: String(row?.miners ?? 0) },
    { name: 'Share of the largest holder', value: `${row?.top1 ?? 0} %` },
    { name: 'Share of the largest 10', value: `${row?.top10 ?? 0} %` },
    { name: 'Share of the largest 100', value: `${row?.top100 ?? 0} %` },
    { name: `Mined macroblocks of the newest ${NEWEST}`, value: String(row?.mined ?? 0) },
    { name: `Rejected transfers in the newest ${NEWEST} macroblocks`, value: `${row?.rejected ?? 0} %` },
    { name: 'Amounts with another value than computed', value: String(row?.unexplained ?? 0) },
  ]
  return tableOf([column('name', 'Figure', 'text'), column('value', 'Value', 'text')], rows)
}

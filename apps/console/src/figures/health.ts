import { ask, askChain, column, type Figure, type FigureContext, tableOf } from './figure.ts'
import { EMPTY_BAND } from './stakes.ts'

/** Macroblocks that figures of the newest time look at. */
const NEWEST = 240

/** Figures about the state of the token; those of `newest` are of the newest 240 macroblocks. */
export type HealthValues = {
  readonly holders: number
  readonly miners: number
  /** Per cent of the supply that the largest 1, 10 and 100 holders have; null while nobody holds the token. */
  readonly shares: readonly [number | null, number | null, number | null]
  readonly minedOfNewest: number
  /** Minutes between the newest macroblock and the newest one in which the token was mined; null if it never was. */
  readonly minutesNotMined: number | null
  /**
   * Per cent of transfers, each counted once: copies are free, and would hide the others. Null if there was no transfer.
   */
  readonly rejectedOfNewest: number | null
  readonly unexplained: number
  readonly unexplainedOfNewest: number
  /** Days that the owner's native coins last at the rate of 7 days; infinite if none is spent, null if too little is known. */
  readonly ownerDays: number | null
}

const numberOf = (cell: unknown): number | null => (cell == null ? null : Number(cell))

export async function healthValues(context: FigureContext): Promise<HealthValues> {
  const shareOf = (top: number): string =>
    `(select round(100 * sum(amount) / nullif($2::numeric, 0), 1)::float8
        from (select amount from holding where token = $1 order by amount desc limit ${top}) t) as top${top}`
  const [block] = await askChain(context, 'select max(height) as height from block', [])
  // As a number, so that the planner knows how few rows are above it.
  const newest = Number(block?.height ?? 0) - NEWEST
  const [row] = await ask(
    context,
    `select (select coalesce(sum(holders) filter (where band > ${EMPTY_BAND}), 0)::int from stake_band where token = $1) as holders,
      (select coalesce(sum(miners), 0)::int from stake_band where token = $1) as miners,
      (select count(distinct m.height)::int from microblock m
        where m.token = $1 and m.height > $3::int) as mined,
      (select time::float8 from block where height = (select max(last_height) from miner where token = $1)) as mined_at,
      (select round(100 * avg((t.status = 2)::int), 1)::float8
        from (select max(status) as status from transfer
          where token = $1 and height > $3::int and status > 1 group by hash) t) as rejected,
      (select count(*)::int from unexplained where token = $1) as unexplained,
      (select count(*)::int from unexplained u where u.token = $1 and u.height > $3::int) as unexplained_newest,
      ${[1, 10, 100].map(shareOf).join(',\n      ')}`,
    [String(context.supply), newest],
  )
  const minedAt = row?.mined_at ?? null
  return {
    ...{ holders: Number(row?.holders ?? 0), miners: Number(row?.miners ?? 0) },
    shares: [numberOf(row?.top1), numberOf(row?.top10), numberOf(row?.top100)],
    minedOfNewest: Number(row?.mined ?? 0),
    minutesNotMined:
      minedAt === null || context.tipTime === null
        ? null
        : Math.floor((context.tipTime - Number(minedAt)) / 60),
    rejectedOfNewest: numberOf(row?.rejected),
    unexplained: Number(row?.unexplained ?? 0),
    unexplainedOfNewest: Number(row?.unexplained_newest ?? 0),
    ownerDays: await ownerDays(context),
  }
}

/** Returns the days for which the balance lasts. Only falls from one day to the next count, and not what was put on the account. */
async function ownerDays(context: FigureContext): Promise<number | null> {
  const rows = await ask(
    context,
    `select day, amount::text as amount from owner_balance where token = $1 and day between $2::int - 7 and $2::int order by day`,
    [context.today],
  )
  const balances = rows.map(({ day, amount }) => ({ day: Number(day), amount: BigInt(amount ?? 0) }))
  const [first, last] = [balances[0], balances.at(-1)]
  if (first === undefined || last === undefined) return null
  const spent = balances.reduce((sum, { amount }, at) => {
    const before = balances[at - 1]?.amount ?? amount
    return amount < before ? sum + before - amount : sum
  }, 0n)
  // With less than one fee every transfer of the token is rejected, and nothing is spent.
  if (last.amount === 0n || last.amount < context.token.nativeFee) return 0
  if (last.day === first.day) return null
  return spent === 0n
    ? Number.POSITIVE_INFINITY
    : Number((last.amount * BigInt(last.day - first.day)) / spent)
}

const percentText = (percent: number | null, ofNone: string): string =>
  percent === null ? ofNone : `${percent} %`

function daysText(days: number | null): string | null {
  if (days === null) return null
  return days === Number.POSITIVE_INFINITY ? 'no end' : String(days)
}

export async function health(context: FigureContext): Promise<Figure> {
  const values = await healthValues(context)
  const { shares, minutesNotMined, ownerDays } = values
  const rows = [
    { name: 'Holders', value: String(values.holders) },
    { name: 'Miners so far', value: String(values.miners) },
    { name: 'Share of the largest holder', value: percentText(shares[0], 'no holders') },
    { name: 'Share of the largest 10', value: percentText(shares[1], 'no holders') },
    { name: 'Share of the largest 100', value: percentText(shares[2], 'no holders') },
    { name: `Mined macroblocks of the newest ${NEWEST}`, value: String(values.minedOfNewest) },
    { name: 'Minutes since it was mined', value: minutesNotMined === null ? null : String(minutesNotMined) },
    {
      name: `Rejected transfers in the newest ${NEWEST} macroblocks`,
      value: percentText(values.rejectedOfNewest, 'no transfers'),
    },
    { name: 'Amounts with another value than computed', value: String(values.unexplained) },
    { name: `Of these, in the newest ${NEWEST} macroblocks`, value: String(values.unexplainedOfNewest) },
    {
      name: 'Days that the native coins of the owner last, at the rate of 7 days',
      value: daysText(ownerDays),
    },
  ]
  return tableOf([column('name', 'Figure', 'text'), column('value', 'Value', 'text')], rows)
}

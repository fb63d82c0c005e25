import { ask, column, type Figure, type FigureContext, tableOf, unitsText } from './figure.ts'

type Forecast = {
  readonly maxSupply: bigint
  readonly blockReward: bigint
  /** Units that can still be mined. */
  readonly left: bigint
  /** Days until nothing is left at the rate of 7 and of 30 days; infinite where nothing was paid. */
  readonly daysOfWeek: number
  readonly daysOfMonth: number
}

/**
 * Returns the days until nothing is left, if as much is paid as in these days; infinite where nothing was paid.
 *
 * @param parameters.days whole days in which `paid` units were paid; a young token has fewer than the question
 */
export function daysLeft({
  left,
  paid,
  days,
}: {
  readonly left: bigint
  readonly paid: bigint
  readonly days: number
}): number {
  if (left === 0n) return 0
  return paid === 0n ? Number.POSITIVE_INFINITY : Number((left * BigInt(days)) / paid)
}

export async function emissionForecast(context: FigureContext): Promise<Forecast> {
  const { token, today, supply } = context
  const paid = 'mined + miner_half + agent_half + owner_part'
  const [row] = await ask(
    context,
    `select coalesce(sum(${paid}) filter (where day >= $2::int - 7), 0)::text as week,
      coalesce(sum(${paid}), 0)::text as month,
      (select min(day) from token_day where token = $1) as first,
      (select coalesce(sum(${paid}), 0)::text from token_day where token = $1 and day = $2::int) as today
    from token_day where token = $1 and day between $2::int - 30 and $2::int - 1`,
    [today],
  )
  const [maxSupply, blockReward] = [token.mining?.maxSupply ?? 0n, token.mining?.blockReward ?? 0n]
  // A remainder that is smaller than a block reward is never mined (PROTOCOL 6.2).
  const left = maxSupply - supply < blockReward ? 0n : maxSupply - supply
  const known = today - Number(row?.first ?? today)
  // A token without a whole day is judged by the one that is not over, in which no less is paid than so far.
  const daysAt = (paid: unknown, days: number): number =>
    known === 0
      ? daysLeft({ left, paid: BigInt(row?.today ?? 0), days: 1 })
      : daysLeft({ left, paid: BigInt(String(paid ?? 0)), days: Math.min(days, known) })
  return {
    ...{ maxSupply, blockReward, left },
    ...{ daysOfWeek: daysAt(row?.week, 7), daysOfMonth: daysAt(row?.month, 30) },
  }
}

export async function emission(context: FigureContext): Promise<Figure> {
  const { today, supply } = context
  const { maxSupply, blockReward, left, daysOfWeek, daysOfMonth } = await emissionForecast(context)
  const endOf = (days: number): string | null => {
    if (left === 0n) return 'ended'
    if (today + days > 2_900_000) return null
    return new Date((today + days) * 86_400_000).toISOString().slice(0, 10)
  }
  const rows = [
    { name: 'Supply', value: unitsText(context, supply) },
    { name: 'Largest supply', value: unitsText(context, maxSupply) },
    { name: 'Left to be mined', value: unitsText(context, left) },
    { name: 'Block reward', value: unitsText(context, blockReward) },
    { name: 'Last day, at the rate of 7 days', value: endOf(daysOfWeek) },
    { name: 'Last day, at the rate of 30 days', value: endOf(daysOfMonth) },
  ]
  return tableOf([column('name', 'Figure', 'text'), column('value', 'Value', 'text')], rows)
}

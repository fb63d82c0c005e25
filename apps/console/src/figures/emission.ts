import { ask, column, type Figure, type FigureContext, tableOf, unitsText } from './figure.ts'

export async function emission(context: FigureContext): Promise<Figure> {
  const { token, today, supply } = context
  const paid = 'mined + miner_half + agent_half + owner_part'
  const [row] = await ask(
    context,
    `select coalesce(sum(${paid}) filter (where day >= $2::int - 7), 0)::text as week,
      coalesce(sum(${paid}), 0)::text as month
    from token_day where token = $1 and day between $2::int - 30 and $2::int - 1`,
    [today],
  )
  const [maxSupply, blockReward] = [token.mining?.maxSupply ?? 0n, token.mining?.blockReward ?? 0n]
  // A remainder that is smaller than a block reward is never mined (PROTOCOL 6.2).
  const left = maxSupply - supply < blockReward ? 0n : maxSupply - supply
  const endOf = (paid: bigint, days: number): string | null => {
    if (left === 0n) return 'ended'
    if (paid === 0n) return null
    const day = today + Number((left * BigInt(days)) / paid)
    return day > 2_900_000 ? null : new Date(day * 86_400_000).toISOString().slice(0, 10)
  }
  const rows = [
    { name: 'Supply', value: unitsText(context, supply) },
    { name: 'Largest supply', value: unitsText(context, maxSupply) },
    { name: 'Left to be mined', value: unitsText(context, left) },
    { name: 'Block reward', value: unitsText(context, blockReward) },
    { name: 'Last day, at the rate of 7 days', value: endOf(BigInt(row?.week ?? 0), 7) },
    { name: 'Last day, at the rate of 30 days', value: endOf(BigInt(row?.month ?? 0), 30) },
  ]
  return tableOf([column('name', 'Figure', 'text'), column('value', 'Value', 'text')], rows)
}

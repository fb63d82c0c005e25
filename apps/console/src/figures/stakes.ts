import { ask, column, type Figure, type FigureContext, tableOf, unitsText } from './figure.ts'

/** Bands of balances that are no power of two of the least stake. */
export const EMPTY_BAND = -9
const LOWEST_BAND = -8

function bandText(context: FigureContext, band: number): string {
  const minimum = context.token.mining?.minimumStake ?? 1n
  if (band === EMPTY_BAND) return 'nothing'
  if (band >= 0) return `from ${unitsText(context, minimum << BigInt(band))}`
  // A part of the least stake, rounded up: the least number of units that is in the band.
  const partOf = (power: number): string => unitsText(context, -(-minimum >> BigInt(power)))
  return band === LOWEST_BAND ? `below ${partOf(-LOWEST_BAND - 1)}` : `from ${partOf(-band)}`
}

export async function stakes(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select band::int as band, holders, miners from stake_band
    where token = $1 and (holders <> 0 or miners <> 0) order by band`,
  )
  const named = rows.map((row) => ({ ...row, band: bandText(context, Number(row.band)) }))
  const columns = [
    column('band', 'Balance', 'text'),
    column('holders', 'Holders'),
    column('miners', 'Of these, miners'),
  ]
  return { ...tableOf(columns, named), chart: { kind: 'bars', keys: ['holders', 'miners'] } }
}

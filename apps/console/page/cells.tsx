import type { JSX } from 'preact'
import type { Cell, Column } from '../src/figures/figure.ts'
import { Coins, unitsIn } from './amount.tsx'
import type { TokenName } from './ask.ts'

const shortAddress = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`

const counts = new Intl.NumberFormat('en')

export const isNumeric = ({ unit }: Column): boolean =>
  ['count', 'amount', 'percent', 'mean', 'height'].includes(unit)

/** One value of a table, as its unit is written. */
export function Value({
  cell,
  column,
  token,
}: {
  readonly cell: Cell
  readonly column: Column
  readonly token: TokenName
}): JSX.Element {
  if (cell === null)
    return (
      <span class="nothing" title="Not known">
        –
      </span>
    )
  if (column.unit === 'amount') return <Coins units={BigInt(cell)} token={token} />
  if (column.unit === 'percent') return <>{cell} %</>
  if (column.unit === 'address')
    return (
      <a href={`#account/${cell}`} title={String(cell)}>
        {shortAddress(String(cell))}
      </a>
    )
  const text = String(cell)
  const units = column.unit === 'text' ? unitsIn(text, token) : null
  if (units !== null) return <Coins units={units} token={token} symbol={token.symbol} />
  if (column.unit === 'count' && typeof cell === 'number') return <>{counts.format(cell)}</>
  return /^[0-9a-f]{64}$/.test(text) ? <span title={text}>{shortAddress(text)}</span> : <>{text}</>
}

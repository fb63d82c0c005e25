import type { JSX } from 'preact'
import { amountText, exactText } from '../src/figures/amount-text.ts'
import type { Cell, Column } from '../src/figures/figure.ts'
import type { TokenName } from './ask.ts'

const shortAddress = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`

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
  if (cell === null) return <span class="nothing">–</span>
  if (column.unit === 'amount')
    return (
      <span title={exactText(String(cell), token)}>{amountText(String(cell), token, column.rounding)}</span>
    )
  if (column.unit === 'percent') return <>{cell} %</>
  if (column.unit === 'address')
    return (
      <a href={`#account/${cell}`} title={String(cell)}>
        {shortAddress(String(cell))}
      </a>
    )
  const text = String(cell)
  return /^[0-9a-f]{64}$/.test(text) ? <span title={text}>{shortAddress(text)}</span> : <>{text}</>
}

import type { JSX } from 'preact'
import type { Cell, Column } from '../src/figures/figure.ts'
import type { TokenName } from './ask.ts'

/** Amounts are whole units as text; no amount becomes a JavaScript number. */
export function amountText(units: string, { decimals }: Pick<TokenName, 'decimals'>): string {
  const digits = units.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, '\u202f')
  const fraction = digits
    .slice(digits.length - decimals)
    .slice(0, 2)
    .replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

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
  if (column.unit === 'amount') return <span title={`${cell} units`}>{amountText(String(cell), token)}</span>
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

import { formatAmount } from '@hailstone/protocol'
import type { RewardRow } from '@hailstone/react'

/** Escapes a cell so that spreadsheets neither split it nor run it as a formula. */
function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Returns the rewards as CSV: exact amounts in coins with a decimal point, times in UTC. */
export function rewardsCsv(
  rows: readonly RewardRow[],
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
): string {
  const head = ['index', 'time', 'kind', 'amount', 'symbol', 'block']
  const lines = rows.map(({ index, timeMs, recordType, amount, recordHash }) => [
    String(index),
    new Date(timeMs).toISOString(),
    recordType,
    formatAmount(amount, { decimals }),
    symbol,
    recordHash,
  ])
  return `${[head, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
}

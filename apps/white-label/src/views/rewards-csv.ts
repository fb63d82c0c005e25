import { formatAmount } from '@hailstone/protocol'
import type { RewardRow } from '@hailstone/react'

/** Escapes a cell so that spreadsheets neither split it nor run it as a formula. */
function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const HEAD = ['index', 'time', 'kind', 'amount', 'symbol', 'block'] as const
/** Rows that are read at once. */
const PART = 1_000

const lineOf = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Resolves with the rewards as CSV, newest first: exact amounts in coins with a decimal point, times in UTC. */
export async function rewardsCsv(
  read: (from: number, count: number) => Promise<readonly RewardRow[]>,
  { count, decimals, symbol }: { readonly count: number; readonly decimals: number; readonly symbol: string },
): Promise<string> {
  const parts = [lineOf(HEAD)]
  for (let end = count; end > 0; end -= PART) {
    const from = Math.max(0, end - PART)
    for (const { index, timeMs, recordType, amount, recordHash } of [
      ...(await read(from, end - from)),
    ].reverse())
      parts.push(
        lineOf([
          String(index),
          new Date(timeMs).toISOString(),
          recordType,
          formatAmount(amount, { decimals }),
          symbol,
          recordHash,
        ]),
      )
  }
  return parts.join('')
}

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
/** As many as there are. */
const ALL = 1_000_000_000
/** Attempts to read all rows while older ones are stored below them, which moves their places. */
const ATTEMPTS = 20

const lineOf = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

type Read = (from: number, count: number) => Promise<readonly RewardRow[]>

/** Resolves with all rows, newest first; null if their places have moved meanwhile. */
async function rowsOf(read: Read, count: number): Promise<readonly RewardRow[] | null> {
  const rows: RewardRow[] = []
  for (let end = count; end > 0; end -= PART) {
    const from = Math.max(0, end - PART)
    const last = rows.at(-1)
    const part = [...(await read(from, last === undefined ? ALL : end - from + 1))].reverse()
    // The first one is the last one of the part before.
    if (last !== undefined && part.shift()?.index !== last.index) return null
    rows.push(...part)
  }
  return rows
}

/**
 * Resolves with the rewards as CSV, newest first: exact amounts in coins with a decimal point, times in UTC.
 *
 * @param read returns rows from a place on, counted from the oldest one
 * @throws {Error} if older rows are stored all the time
 */
export async function rewardsCsv(
  read: Read,
  { count, decimals, symbol }: { readonly count: number; readonly decimals: number; readonly symbol: string },
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rows = await rowsOf(read, count)
    if (rows === null) continue
    const lines = rows.map(({ index, timeMs, recordType, amount, recordHash }) =>
      lineOf([
        String(index),
        new Date(timeMs).toISOString(),
        recordType,
        formatAmount(amount, { decimals }),
        symbol,
        recordHash,
      ]),
    )
    return [lineOf(HEAD), ...lines].join('')
  }
  throw new Error('Rewards are being stored all the time.')
}

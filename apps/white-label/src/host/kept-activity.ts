import type { Client } from '@hailstone/client'

export type TransactionRow = Awaited<ReturnType<Client['getTransactions']>>['records'][number]

/** Transfers of an account, as the network listed them at the last reading. */
export type KeptActivity = {
  /** The newest ones, newest first. */
  readonly rows: readonly TransactionRow[]
  /** Unix milliseconds. */
  readonly readAtMs: number
}

/** Account and token whose transfers are kept, and the network that listed them. */
export type ActivityOf = {
  readonly brandId: string
  readonly api: string
  readonly address: string
  readonly tokenId: string
}

const MOST_ROWS = 50
const ENDING = '-activity-'

const nameOf = ({ brandId, address }: ActivityOf): string => `hailstone-${brandId}${ENDING}${address}`
const sourceOf = ({ api, tokenId }: ActivityOf): string => `${api} ${tokenId}`

/** Returns what was kept for this account, network and token; null if nothing was, or it cannot be read. */
export function keptActivity(of: ActivityOf): KeptActivity | null {
  try {
    const { source, rows, readAtMs } = JSON.parse(localStorage.getItem(nameOf(of)) ?? '{}', (_, value) =>
      typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    )
    return source === sourceOf(of) && Array.isArray(rows) && Number.isFinite(readAtMs)
      ? { rows, readAtMs }
      : null
  } catch {
    return null
  }
}

/** Keeps the newest rows on this device, in the place of those before. */
export function keepActivity(of: ActivityOf, { rows, readAtMs }: KeptActivity): void {
  // The memo is not part of a list.
  const kept = rows.slice(0, MOST_ROWS).map((row) => ({ ...row, data: '' }))
  try {
    localStorage.setItem(
      nameOf(of),
      JSON.stringify({ source: sourceOf(of), rows: kept, readAtMs }, (_, value) =>
        typeof value === 'bigint' ? `${value}n` : value,
      ),
    )
  } catch {
    // Browsers may refuse storage, or have none left.
  }
}

/** Removes what was kept for an account that leaves this device. */
export function forgetActivity(address: string): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.endsWith(ENDING + address)) localStorage.removeItem(name)
  } catch {
    // Browsers may refuse storage.
  }
}

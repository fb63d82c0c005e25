import { useMiner } from '@hailstone/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type ActivityOf, keepActivity, keptActivity, type TransactionRow } from '../host/kept-activity.ts'
import { useApp } from './app-context.ts'

type State = {
  readonly rows: readonly TransactionRow[]
  readonly isLast: boolean
  /** Unix milliseconds of the newest reading, which may be one of an earlier visit; null before the first. */
  readonly readAtMs: number | null
  /** False while the rows are those that this device kept. */
  readonly isRead: boolean
  readonly why: string | null
}

const begin = (of: ActivityOf): State => {
  const { rows = [], readAtMs = null } = keptActivity(of) ?? {}
  return { rows, readAtMs, isLast: false, isRead: false, why: null }
}

const merged = (
  older: readonly TransactionRow[],
  newer: readonly TransactionRow[],
): readonly TransactionRow[] =>
  [...new Map([...older, ...newer].map((row) => [row.index, row])).values()].sort((a, b) => b.index - a.index)

/** Adds what was read. What this device kept gives way to the first reading. */
const withPage = (
  { isRead, rows, isLast }: State,
  read: { readonly rows: readonly TransactionRow[]; readonly isLast: boolean; readonly atMs: number },
): State => ({
  rows: merged(isRead ? rows : [], read.rows),
  isLast: isLast || read.isLast,
  readAtMs: read.atMs,
  isRead: true,
  why: null,
})

/** Transfers of the mined token, newest first; pages are loaded on demand. The newest stay on the device. */
export function useTransactions(): State & {
  readonly readMore: () => Promise<void>
  readonly refresh: () => Promise<void>
} {
  const { host, brand } = useApp()
  const { address, tokenId } = useMiner()
  const { id: brandId, network } = brand
  const of = useMemo(
    () => ({ brandId, api: network.api, address, tokenId }),
    [brandId, network.api, address, tokenId],
  )
  const [state, setState] = useState(() => begin(of))
  const nextPage = useRef(0)
  useEffect(() => {
    nextPage.current = 0
    setState(begin(of))
  }, [of])
  useEffect(() => {
    const { isRead, rows, readAtMs } = state
    if (isRead && readAtMs !== null) keepActivity(of, { rows, readAtMs })
  }, [of, state])

  const read = useCallback(
    async (page: number | 'next'): Promise<void> => {
      const wanted = page === 'next' ? nextPage.current : page
      try {
        const { records, isLast } = await host.client.getTransactions({ address: of.address, page: wanted })
        nextPage.current = Math.max(nextPage.current, wanted + 1)
        const rows = records.filter((row) => row.tokenId === of.tokenId)
        setState((before) => withPage(before, { rows, isLast, atMs: Date.now() }))
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        setState((before) => ({ ...before, why }))
      }
    },
    [host, of],
  )
  const readMore = useCallback(() => read('next'), [read])
  const refresh = useCallback(() => read(0), [read])
  return { ...state, readMore, refresh }
}

import { useMiner } from '@hailstone/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RemoteClient } from '../host/mining-host.ts'
import { useApp } from './app-context.ts'

type Page = Awaited<ReturnType<RemoteClient['getTransactions']>>
type TransactionRow = Page['records'][number]

type State = {
  readonly rows: readonly TransactionRow[]
  readonly isLast: boolean
  readonly readAtMs: number | null
  readonly why: string | null
}

const NOTHING: State = { rows: [], isLast: false, readAtMs: null, why: null }

const merged = (
  older: readonly TransactionRow[],
  newer: readonly TransactionRow[],
): readonly TransactionRow[] =>
  [...new Map([...older, ...newer].map((row) => [row.index, row])).values()].sort((a, b) => b.index - a.index)

/** Transfers of the mined token, newest first; pages are loaded on demand. */
export function useTransactions(): State & {
  readonly readMore: () => Promise<void>
  readonly refresh: () => Promise<void>
} {
  const { host } = useApp()
  const { address, tokenId } = useMiner()
  const [state, setState] = useState<State>(NOTHING)
  const nextPage = useRef(0)
  useEffect(() => {
    nextPage.current = 0
    setState(NOTHING)
  }, [address, tokenId])

  const read = useCallback(
    async (page: number | 'next'): Promise<void> => {
      const wanted = page === 'next' ? nextPage.current : page
      try {
        const { records, isLast } = await host.client.getTransactions({ address, page: wanted })
        nextPage.current = Math.max(nextPage.current, wanted + 1)
        const rows = records.filter((row) => row.tokenId === tokenId)
        setState((before) => ({
          ...before,
          rows: merged(before.rows, rows),
          isLast: before.isLast || isLast,
          readAtMs: Date.now(),
          why: null,
        }))
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        setState((before) => ({ ...before, why }))
      }
    },
    [host, address, tokenId],
  )
  const readMore = useCallback(() => read('next'), [read])
  const refresh = useCallback(() => read(0), [read])
  return { ...state, readMore, refresh }
}

import { useMiner } from '@hailstone/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type ActivityOf, keepActivity, keptActivity, type TransactionRow } from '../host/kept-activity.ts'
import { newestPage, olderPage, type Records, withNewest, withOlder } from './activity.ts'
import { useApp } from './app-context.ts'

type State = {
  /** Rows that this device kept; they give way to the first reading. */
  readonly kept: readonly TransactionRow[]
  /** Transfers of every token; null before the first reading. */
  readonly read: Records<TransactionRow> | null
  /** Unix milliseconds of the newest reading, which may be one of an earlier visit; null before the first. */
  readonly readAtMs: number | null
  readonly why: string | null
}

const NOTHING: Records<TransactionRow> = { records: [], isLast: false }

const begin = (of: ActivityOf): State => {
  const { rows = [], readAtMs = null } = keptActivity(of) ?? {}
  return { kept: rows, readAtMs, read: null, why: null }
}

/** Adds the newest page. An empty one takes no rows away: it is that of a node that has just started. */
function withPage(state: State, page: Records<TransactionRow>): State {
  const { kept, read } = state
  if (read === null && kept.length > 0 && page.records.length === 0) return { ...state, why: null }
  return { ...state, read: withNewest(read ?? NOTHING, page), readAtMs: Date.now(), why: null }
}

/** Transfers of the mined token, newest first; pages are loaded on demand. The newest stay on the device. */
export function useTransactions(): Pick<State, 'readAtMs' | 'why'> & {
  readonly rows: readonly TransactionRow[]
  readonly isLast: boolean
  /** False while the rows are those that this device kept. */
  readonly isRead: boolean
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
  const { kept, read, readAtMs, why } = state
  const known = useRef(read)
  known.current = read
  const rows = useMemo(
    () => read?.records.filter((row) => row.tokenId === of.tokenId) ?? kept,
    [read, kept, of],
  )
  useEffect(() => setState(begin(of)), [of])
  useEffect(() => {
    if (read !== null && readAtMs !== null) keepActivity(of, { rows, readAtMs })
  }, [of, read, rows, readAtMs])

  const { readMore, refresh } = useMemo(() => {
    const pageOf = (page: number) => host.client.getTransactions({ address: of.address, page })
    async function change(reading: Promise<(before: State) => State>): Promise<void> {
      try {
        setState(await reading)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        setState((before) => ({ ...before, why: reason }))
      }
    }
    const newest = async () => {
      const page = await newestPage(pageOf, known.current)
      return (before: State) => withPage(before, page)
    }
    const older = async () => {
      const above = known.current ?? NOTHING
      const page = await olderPage(pageOf, above)
      return (before: State): State => ({
        ...before,
        read: before.read && withOlder(before.read, above, page),
        why: null,
      })
    }
    return { readMore: () => change(older()), refresh: () => change(newest()) }
  }, [host, of])
  return { rows, readAtMs, why, isLast: read?.isLast ?? false, isRead: read !== null, readMore, refresh }
}

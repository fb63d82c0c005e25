import type { TokenInfo } from '@hailstone/client'
import { useSyncExternalStore } from 'react'
import { keptPer } from './kept-per.ts'
import { createLookup, type Lookup } from './lookup.ts'
import type { ClientPort } from './mining-ports.ts'
import { useMiningParts } from './mining-provider.ts'
import type { Reading } from './reading.ts'
import { useSnapshot } from './use-snapshot.ts'

const EVERY_MS = 10 * 60_000
const LOADING = { status: 'loading' } as const
const unread = (): Reading<never> => LOADING

const lookups = keptPer<ClientPort, Lookup<TokenInfo | null>>()

/**
 * Reads a token: decimals, fee rule, mining parameters. Null if the network does not know it, and has said so several times.
 * Repeated every ten minutes while a component uses it.
 *
 * @param tokenId @default the mined token
 * @example
 * const token = lastValue(useToken())
 * return <p>{token?.symbol ?? 'coins'}</p>
 */
export function useToken(tokenId?: string): Reading<TokenInfo | null> {
  const { client } = useMiningParts()
  const { tokenId: mined } = useSnapshot()
  const id = tokenId ?? mined
  const ask = async (): Promise<TokenInfo | null> => (await client.getToken({ tokenId: id })) ?? null
  const lookup = lookups(client, id, () =>
    createLookup({
      ask,
      everyMs: EVERY_MS,
      nothingYet: 'The network does not show this token at the moment.',
    }),
  )
  return useSyncExternalStore(lookup.subscribe, lookup.snapshot, unread)
}

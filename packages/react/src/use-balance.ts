import type { Amount } from '@hailstone/mining-node'
import type { Reading } from './reading.ts'
import { useSnapshot } from './use-snapshot.ts'

/** Balance of the node's account in one token. */
export type BalanceValue = {
  /** Units of the token. */
  readonly amount: Amount
  /** Null if the account never held the token and the token is not loaded yet. */
  readonly decimals: number | null
  readonly symbol: string | undefined
}

/** Returns the balance of the mined token, as the node last read it. */
export function useBalance(): Reading<BalanceValue> {
  const { balance, stakes, api } = useSnapshot()
  if (balance === null) {
    return api.status === 'unreachable' ? { status: 'failed', why: api.why } : { status: 'loading' }
  }
  const { amount, isKnown, readAtMs, isStale } = balance
  const token = stakes?.token
  const value = {
    amount,
    decimals: isKnown ? balance.decimals : (token?.decimals ?? null),
    symbol: isKnown ? balance.symbol : token?.symbol,
  }
  return isStale ? { status: 'stale', value, readAtMs, why: api.why } : { status: 'ready', value, readAtMs }
}

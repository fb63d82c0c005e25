import type { Amount } from '@hailstone/mining-node'
import type { NodeError } from '@hailstone/protocol'
import { type Failure, failureOf, failureOfApi, type Reading } from './reading.ts'
import { useSnapshot } from './use-snapshot.ts'

/** Balance of the node's account in one token. */
export type BalanceValue = {
  /** Units of the token. */
  readonly amount: Amount
  /** Null if the account never held the token and the token is not loaded yet. */
  readonly decimals: number | null
  /** Short name of the token; undefined when the network does not name one. */
  readonly symbol: string | undefined
}

/**
 * Returns the balance of the mined token, as the node last read it.
 *
 * @example
 * const balance = lastValue(useBalance())
 * return <p>{balance?.decimals == null ? '–' : formatAmount(balance.amount, { decimals: balance.decimals })}</p>
 */
export function useBalance(): Reading<BalanceValue> {
  const { balance, stakes, api, lastError } = useSnapshot()
  const failure = failureOfApi(api) ?? failureOfBalance(lastError?.error)
  if (balance === null) return failure === null ? { status: 'loading' } : { status: 'failed', ...failure }
  const { amount, isKnown, readAtMs, isStale } = balance
  const token = stakes?.token
  const value = {
    amount,
    decimals: isKnown ? balance.decimals : (token?.decimals ?? null),
    symbol: isKnown ? balance.symbol : token?.symbol,
  }
  if (!isStale) return { status: 'ready', value, readAtMs }
  return { status: 'stale', value, readAtMs, ...(failure ?? CHANGED) }
}

const CHANGED: Failure = { why: 'It is read again, because the chain has changed.' }

/** The last error of the node, if a balance could not be read because of it. */
const failureOfBalance = (error: NodeError | undefined): Failure | null =>
  error !== undefined && 'path' in error.facts && /\/balance(?:\?|$)/.test(String(error.facts.path))
    ? failureOf(error)
    : null

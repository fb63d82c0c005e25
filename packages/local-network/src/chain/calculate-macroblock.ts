import {
  type BalanceKey,
  type BalanceReading,
  balancesOfMacroblock,
  type ClosedMacroblock,
  closeMacroblock,
  type LedgerMacroblock,
  type LedgerParameters,
  type LedgerState,
  toLedgerMacroblock,
} from '@hailstone/ledger'
import type { Macroblock } from '@hailstone/protocol'
import { type CalculatedSource, learnCalculated, transactionHashesOf } from './learn-calculated.ts'

/** Source of all balances. */
export type BalanceSource = {
  /**
   * Returns balances as they were before the macroblock at a height.
   *
   * @throws {NodeError} `CHAIN_INCONSISTENT` if one has changed twice since, so that it is not known any more
   */
  readonly balancesAt: (height: number, keys: readonly BalanceKey[]) => Promise<readonly BalanceReading[]>
}

/**
 * Reads balances that the ledger does not hold. They count for nothing if the ledger has changed meanwhile.
 *
 * @param parameters.height of the open key block
 * @throws {NodeError} `CHAIN_INCONSISTENT` if one cannot be known any more
 */
export async function learnBalances(
  ledger: LedgerState,
  parameters: {
    readonly store: BalanceSource
    readonly height: number
    readonly keys: readonly BalanceKey[]
  },
): Promise<void> {
  const { store, height, keys } = parameters
  const revision = ledger.revision()
  ledger.learnBalances(revision, await store.balancesAt(height, keys))
}

/** Calculates a macroblock, unless the ledger lacks balances for that; then these have to be read first. */
export function attemptMacroblock(
  ledger: LedgerState,
  macroblock: LedgerMacroblock,
  parameters: LedgerParameters,
): { readonly closed: ClosedMacroblock } | { readonly lacking: readonly BalanceKey[] } {
  const { result: closed, unread } = ledger.attempt(() => closeMacroblock(ledger, macroblock, parameters))
  if (unread.length === 0) return { closed }
  // The attempt ended where a sender seemed to have nothing: what comes after that is asked for in the same read.
  const others = balancesOfMacroblock(macroblock, { ledger, parameters })
  return { lacking: [...unread, ...others.filter((key) => !ledger.holdsBalance(key))] }
}

/**
 * Calculates a macroblock at the height of the ledger, and reads what that lacks.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT` if a balance cannot be known any more, since the stored chain is further on
 */
export async function calculateMacroblock(
  ledger: LedgerState,
  parameters: {
    readonly store: BalanceSource & CalculatedSource
    readonly macroblock: Macroblock
    readonly rules: LedgerParameters
  },
): Promise<ClosedMacroblock> {
  const { store, rules } = parameters
  const { height } = parameters.macroblock.keyBlock
  await learnCalculated(ledger, { store, height, hashes: transactionHashesOf(parameters.macroblock) })
  const macroblock = toLedgerMacroblock(parameters.macroblock)
  for (;;) {
    const attempt = attemptMacroblock(ledger, macroblock, rules)
    if ('closed' in attempt) return attempt.closed
    await learnBalances(ledger, { store, height, keys: attempt.lacking })
  }
}

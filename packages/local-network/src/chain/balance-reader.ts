import type { BalanceKey, LedgerState } from '@hailstone/ledger'
import type { Address, KeyBlock, TokenId } from '@hailstone/protocol'
import { batched } from '../store/batched.ts'
import { type BalanceSource, learnBalances } from './calculate-macroblock.ts'

/** Reads balances that are not in memory for whoever needs them outside of a macroblock. */
export type BalanceReader = {
  /** Resolves to true once the balances are in memory, at once where they are; false if they cannot be read now. */
  readonly whenHeld: (keys: readonly BalanceKey[]) => boolean | Promise<boolean>
  /** Units; undefined where the account has no row, and while its row is being read. */
  readonly balance: (account: Address, tokenId: TokenId) => bigint | undefined
}

/** Pause between two attempts while a macroblock is stored or the database does not answer, in ms. */
const PAUSE_MS = 25
const MAX_ATTEMPTS = 200

/** @param parameters.tip returns the open key block; null while the ledger may be another one than that before it */
export function createBalanceReader(parameters: {
  readonly ledger: LedgerState
  readonly store: BalanceSource
  readonly tip: () => KeyBlock | null
}): BalanceReader {
  const { ledger, store, tip } = parameters

  const learn = batched<BalanceKey, void>(async (keys) => {
    // The chain may have gone on since the statement before.
    const height = tip()?.height
    if (height !== undefined) await learnBalances(ledger, { store, height, keys })
    return []
  })

  const lackingOf = (keys: readonly BalanceKey[]): readonly BalanceKey[] =>
    keys.filter((key) => !ledger.holdsBalance(key))

  async function read(keys: readonly BalanceKey[]): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await Promise.allSettled(lackingOf(keys).map(learn))
      if (lackingOf(keys).length === 0) return true
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    return false
  }

  const whenHeld = (keys: readonly BalanceKey[]): boolean | Promise<boolean> =>
    lackingOf(keys).length === 0 || read(keys)

  return {
    whenHeld,
    balance(account, tokenId) {
      if (whenHeld([{ account, tokenId }]) !== true) return undefined
      return ledger.balance(account, tokenId)
    },
  }
}

import type { LedgerState } from '@hailstone/ledger'
import { type Hash, type Macroblock, transactionHash } from '@hailstone/protocol'

/** Source of the final statuses of transactions, for all macroblocks. */
export type CalculatedSource = {
  /** Those that stand in a macroblock below the height. */
  readonly calculatedBelow: (height: number, hashes: readonly Hash[]) => Promise<readonly Hash[]>
}

/** Returns the hashes of all transactions of a macroblock. */
export const transactionHashesOf = ({ microblocks }: Pick<Macroblock, 'microblocks'>): readonly Hash[] =>
  microblocks.flatMap(({ transactions }) => transactions.map((one) => transactionHash(one)))

/**
 * Asks about transactions that a ledger of a stored chain knows nothing of: it holds what accounts have, not what
 * ever happened. To be done before each macroblock is calculated; the ledger refuses to guess.
 */
export async function learnCalculated(
  ledger: LedgerState,
  parameters: { readonly store: CalculatedSource; readonly height: number; readonly hashes: readonly Hash[] },
): Promise<void> {
  const { store, height } = parameters
  const asked = ledger.unasked(parameters.hashes)
  if (asked.length > 0)
    ledger.learnCalculated({ asked, calculated: await store.calculatedBelow(height, asked) })
}

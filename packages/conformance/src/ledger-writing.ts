import type { CalculatedTransaction, LedgerChanges } from '@hailstone/local-network'
import type { Case } from './case.ts'
import { inOrder } from './ledger-reading.ts'

const statusNumbers = { duplicate: '1', rejected: '2', confirmed: '3' } as const

/** A status by its number on the wire, as text. */
export const statusNumber = (status: CalculatedTransaction['status']): string => statusNumbers[status]

/** Changed balances by their wire names, every number as text, in one order. */
export const balanceChanges = (changes: LedgerChanges): readonly Case[] =>
  inOrder(
    changes.balances.map(({ account, tokenId, before, after }) => ({
      id: account,
      token: tokenId,
      before: before?.toString() ?? null,
      after: after.toString(),
    })),
  )

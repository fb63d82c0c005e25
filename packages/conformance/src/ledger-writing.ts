import type { CalculatedTransaction, LedgerChanges } from '@hailstone/ledger'
import type { Case } from './case.ts'
import { inOrder } from './ledger-reading.ts'

const statusNumbers = { duplicate: '1', rejected: '2', confirmed: '3' } as const

/** Returns the wire number of a status, as text. */
export const statusNumber = (status: CalculatedTransaction['status']): string => statusNumbers[status]

/** Returns changed balances by their wire names, numbers as text, sorted. */
export const balanceChanges = (changes: LedgerChanges): readonly Case[] =>
  inOrder(
    changes.balances.map(({ account, tokenId, before, after }) => ({
      id: account,
      token: tokenId,
      before: before?.toString() ?? null,
      after: after.toString(),
    })),
  )

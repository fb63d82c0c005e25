import type { Address } from '@hailstone/protocol'
import type { RecordFact } from '../facts.ts'

/** Kinds of rewards, by the number in `reward.kind`. */
export const kinds = { own: 1, minerHalf: 2, agentHalf: 3, ownerPart: 4, oddUnit: 5 } as const

/** A reward that the rules give. */
export type ExpectedReward = {
  readonly kind: number
  readonly type: RecordFact['type']
  readonly account: Address
  readonly amount: bigint
}

/** A reward as the chain has it beside what the rules give; either can be missing, and is then null. */
export type MatchedReward = {
  readonly kind: number
  readonly account: Address
  readonly shown: bigint | null
  readonly expected: bigint | null
}

/**
 * Finds the record of each expected reward: one of the same amount, else one of the same account. Records that nothing
 * expects come last.
 */
export function matchRecords(
  expected: readonly ExpectedReward[],
  records: readonly RecordFact[],
  kindOf: (record: RecordFact) => number,
): readonly MatchedReward[] {
  const left = [...records]
  const take = (fits: (record: RecordFact) => boolean): RecordFact | undefined => {
    const at = left.findIndex(fits)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const isFor =
    ({ type, account }: ExpectedReward) =>
    (record: RecordFact) =>
      record.type === type && record.account === account
  const exact = expected.map((one) => take((record) => isFor(one)(record) && record.amount === one.amount))
  const matched = expected.map((one, at): MatchedReward => {
    const record = exact[at] ?? take(isFor(one))
    return {
      kind: one.kind,
      account: one.account,
      expected: one.amount,
      shown: record?.amount ?? null,
    }
  })
  const surplus = left.map(
    (record): MatchedReward => ({
      ...{ kind: kindOf(record), account: record.account, shown: record.amount, expected: null },
    }),
  )
  return [...matched, ...surplus]
}

import { type ReferralAgentStatus, referralReward } from '@hailstone/protocol'
import type { MicroblockFact, RecordFact, TokenRules } from '../facts.ts'
import { type ExpectedReward, kinds } from './match-records.ts'

/** Records of a referral reward, and the odd unit that is left of two halves. */
export type ReferralParts = { readonly expected: readonly ExpectedReward[]; readonly dust: bigint }

/**
 * Returns what the rules give beside the reward of a microblock (PROTOCOL 6.4).
 *
 * @param microblock.own units of that reward
 */
export function referralParts(
  { owner, mining }: Pick<TokenRules, 'owner' | 'mining'>,
  { publisher, agent, own }: Pick<MicroblockFact, 'publisher' | 'agent'> & { readonly own: bigint },
  status: ReferralAgentStatus,
): ReferralParts {
  const { referralShareBps = 0 } = mining ?? {}
  const parts = referralReward({ microblockReward: own, referralShareBps, agent: status })
  const type = 'iref' as const
  const forMiner = { kind: kinds.minerHalf, type, account: publisher, amount: parts.publisher }
  const forAgent =
    status === 'qualified' && agent !== null
      ? { kind: kinds.agentHalf, type, account: agent, amount: parts.agent }
      : { kind: kinds.ownerPart, type, account: owner, amount: parts.owner }
  return { expected: status === 'absent' ? [forAgent] : [forMiner, forAgent], dust: parts.dust }
}

/** Returns rewards as a text that is the same in whatever order they come; those of nothing are left out. */
export const recordsText = (records: readonly RecordFact[]): string =>
  records
    .filter(({ amount }) => amount > 0n)
    .map(({ type, account, amount }) => `${type} ${account} ${amount}`)
    .sort()
    .join()

/**
 * True if records can be all that a microblock paid: a reward of its publisher, and the parts of a referral reward of this
 * size. Balances, which decide how much the reward is and who has the stake of an agent, are not asked for.
 */
export function canBeWhole(
  rules: Pick<TokenRules, 'owner' | 'mining'>,
  { publisher, agent, records }: Pick<MicroblockFact, 'publisher' | 'agent' | 'records'>,
): boolean {
  if (rules.mining == null) return true
  const own = records.find(({ type }) => type === 'im')?.amount
  if (own === undefined) return false
  const statuses = agent === null ? (['absent'] as const) : (['absent', 'unqualified', 'qualified'] as const)
  const text = recordsText(records)
  return statuses.some((status) => {
    const { expected } = referralParts(rules, { publisher, agent, own }, status)
    return text === recordsText([{ type: 'im', account: publisher, amount: own }, ...expected])
  })
}

import { type Address, type Amount, encodeReferralCode } from '@hailstone/protocol'
import { useMemo } from 'react'
import { lastValue } from './reading.ts'
import { useBalance } from './use-balance.ts'
import { useSnapshot } from './use-snapshot.ts'
import { useToken } from './use-token.ts'

/** How much somebody holds of what an agent has to hold. Null is not known, never nothing. */
export type AgentCondition = {
  readonly have: Amount | null
  readonly need: Amount | null
  /** Zero when the condition is met. */
  readonly missing: bigint | null
  readonly isMet: boolean | null
}

export type Referral = {
  readonly address: Address
  /** What others enter to name this account as their agent. */
  readonly code: string
  /** Whether this account would earn as an agent now. */
  readonly own: AgentCondition
  /** The agent this account mines for; null without one, or while that is not known. */
  readonly agent: (AgentCondition & { readonly holdsToken: boolean }) | null
  /** Of each reward, shared by miner and agent, in ten-thousandths. From the chain, never a constant. */
  readonly shareBps: number | null
}

const condition = (have: Amount | null, need: Amount | null): AgentCondition => {
  if (have === null || need === null) return { have, need, missing: null, isMet: null }
  const missing = have >= need ? 0n : need - have
  return { have, need, missing, isMet: missing === 0n }
}

/** The two sides of an invitation: this account as an agent, and the agent of this account. */
export function useReferral(): Referral {
  const { address, stakes } = useSnapshot()
  const code = useMemo(() => encodeReferralCode(address), [address])
  const amount = lastValue(useBalance())?.amount ?? null
  const shareBps = lastValue(useToken())?.referralShareBps ?? null
  const need = stakes?.token?.referrerStake ?? null
  const agent = stakes?.agent ?? null
  return {
    address,
    code,
    own: condition(amount, need),
    agent: agent && { ...condition(agent.amount, need), holdsToken: agent.isKnown },
    shareBps,
  }
}

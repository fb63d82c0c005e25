import { type Address, type Amount, encodeReferralCode } from '@hailstone/protocol'
import { useMemo } from 'react'
import { lastValue } from './reading.ts'
import { useBalance } from './use-balance.ts'
import { useSnapshot } from './use-snapshot.ts'
import { useToken } from './use-token.ts'

/** Balance of an agent against the required one, in units. Null if unknown. */
export type AgentCondition = {
  readonly have: Amount | null
  readonly need: Amount | null
  /** Units missing to the required balance; zero if the condition is met. */
  readonly missing: bigint | null
  /** Null when it is not known. */
  readonly isMet: boolean | null
}

/** Result of {@link useReferral}: the account as an agent, and its own agent. */
export type Referral = {
  readonly address: Address
  /** Referral code of this account. */
  readonly code: string
  /** Condition of this account as an agent. */
  readonly own: AgentCondition
  /** The agent of this account; null without an agent, or while it is not known. */
  readonly agent:
    | (AgentCondition & {
        /** False for an agent that the network has no balance of in the token, not even zero. */
        readonly holdsToken: boolean
      })
    | null
  /** Share of each reward divided between miner and agent, in ten-thousandths, read from the chain. */
  readonly shareBps: number | null
}

const condition = (have: Amount | null, need: Amount | null): AgentCondition => {
  if (have === null || need === null) return { have, need, missing: null, isMet: null }
  const missing = have >= need ? 0n : need - have
  return { have, need, missing, isMet: missing === 0n }
}

/**
 * Returns both sides of referral: this account as an agent, and its own agent.
 *
 * @example
 * const { code, own } = useReferral()
 * return <p>{own.isMet === false ? 'Your code earns nothing yet.' : code}</p>
 */
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

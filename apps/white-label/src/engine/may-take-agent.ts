import type { Address } from '@hailstone/mining-node'
import type { EngineConfig } from './engine-config.ts'
import type { AccountState } from './engine-state.ts'

/**
 * True if the brand lets `next` become the referral agent now. Where it does not let people change the agent, the
 * agent step of the first run alone sets one, and only the brand's own where the brand names one.
 */
export function mayTakeAgent(
  { canChangeAgent, hasAgentStep, defaultAgent }: EngineConfig,
  account: AccountState,
  next: Address | null,
): boolean {
  if (canChangeAgent) return true
  const isFirstRun = hasAgentStep && account.status === 'setup' && account.step === 'agent'
  return isFirstRun && (defaultAgent === null || next === defaultAgent)
}

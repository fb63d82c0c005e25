import type { Address } from '@hailstone/mining-node'
import { isMiningPolicy } from './mining-policy.ts'
import type { PaymentApprovals } from './payment-approvals.ts'
import type { LeaderCalls } from './tab-rpc.ts'

type PaymentCalls = 'preparePayment' | 'approvePayment' | 'declinePayment'

/** Rejects a value that would be stored and read at every later start: any page of this origin can send one. */
function assertStorable(isGood: boolean): void {
  if (!isGood) throw new Error('What another tab sent is not stored: it is not well formed.')
}

/**
 * Checks what is to be stored before it reaches the controller.
 *
 * @param payments opens the payments on first use
 */
export const leaderCalls = (
  calls: Omit<LeaderCalls, PaymentCalls>,
  payments: () => Promise<PaymentApprovals>,
  isAddress: (value: unknown) => value is Address,
): LeaderCalls => ({
  ...calls,
  setAgent: async (agent) => {
    // Null is no agent.
    assertStorable(agent === null || isAddress(agent))
    return calls.setAgent(agent)
  },
  setPolicy: async (policy) => {
    assertStorable(isMiningPolicy(policy))
    return calls.setPolicy(policy)
  },
  preparePayment: async ({ ticket, parameters }) => (await payments()).prepare(ticket, parameters),
  approvePayment: async ({ ticket, proof, id }) => (await payments()).approve(ticket, proof, id),
  declinePayment: async (ticket) => (await payments()).decline(ticket),
})

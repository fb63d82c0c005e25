import type { PaymentSummary } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { isAddress } from '@hailstone/protocol'
import type { OlderRewards } from './follow-rewards.ts'
import type { MiningController } from './mining-controller.ts'
import { isMiningPolicy, type MiningPolicy } from './mining-policy.ts'
import type { PaymentOrder } from './payment-approvals.ts'
import type { ConsentProof } from './payment-consent.ts'

/** Calls that any tab may send to the leading tab. */
export type LeaderCalls = {
  readonly start: (nothing: undefined) => Promise<void>
  readonly stop: (nothing: undefined) => Promise<void>
  readonly setAgent: (agent: Address | null) => Promise<void>
  readonly setPolicy: (policy: MiningPolicy) => Promise<void>
  readonly resync: (nothing: undefined) => Promise<void>
  readonly refreshRewards: (nothing: undefined) => Promise<void>
  readonly readOlderRewards: (older: OlderRewards) => Promise<void>
  readonly preparePayment: (order: {
    readonly ticket: string
    readonly parameters: PaymentOrder
  }) => Promise<PaymentSummary>
  /** Signs and sends a prepared payment if the proof is valid for its bytes. */
  readonly approvePayment: (approval: {
    readonly ticket: string
    readonly proof: ConsentProof
    /** The one in the summary. */
    readonly id: string
  }) => Promise<string>
  readonly declinePayment: (ticket: string) => Promise<void>
}

const leaderCallNames = [
  'start',
  'stop',
  'setAgent',
  'setPolicy',
  'resync',
  'refreshRewards',
  'readOlderRewards',
  'preparePayment',
  'approvePayment',
  'declinePayment',
] as const satisfies readonly (keyof LeaderCalls)[]

export const isLeaderCall = (name: string): name is keyof LeaderCalls =>
  (leaderCallNames as readonly string[]).includes(name)

/** Rejects a value that would be stored and read at every later start: any page of this origin can send one. */
function assertStorable(isGood: boolean): void {
  if (!isGood) throw new Error('What another tab sent is not stored: it is not well formed.')
}

/** True for an address and for null, which is no agent. */
const isAgent = (value: unknown): value is Address | null => value === null || isAddress(value)

export const leaderCalls = (controller: MiningController): LeaderCalls => ({
  start: controller.start,
  stop: controller.stop,
  setAgent: async (agent) => {
    assertStorable(isAgent(agent))
    return controller.setAgent(agent)
  },
  setPolicy: async (policy) => {
    assertStorable(isMiningPolicy(policy))
    return controller.setPolicy(policy)
  },
  resync: controller.resync,
  refreshRewards: controller.refreshRewards,
  readOlderRewards: controller.readOlderRewards,
  preparePayment: async ({ ticket, parameters }) => (await controller.payments()).prepare(ticket, parameters),
  approvePayment: async ({ ticket, proof, id }) => (await controller.payments()).approve(ticket, proof, id),
  declinePayment: async (ticket) => (await controller.payments()).decline(ticket),
})

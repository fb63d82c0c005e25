import type { PaymentSummary } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import type { OlderRewards } from './follow-rewards.ts'
import type { MiningPolicy } from './mining-policy.ts'
import type { PaymentOrder } from './payment-approvals.ts'
import type { ConsentProof } from './payment-consent.ts'
import type { AgreedPayout } from './payout-setting.ts'

/** Calls that any tab may send to the leading tab. */
export type LeaderCalls = {
  readonly start: (nothing: undefined) => Promise<void>
  readonly stop: (nothing: undefined) => Promise<void>
  readonly setAgent: (agent: Address | null) => Promise<void>
  readonly setPolicy: (policy: MiningPolicy) => Promise<void>
  /** Sets the rule of payouts, or ends them with null. */
  readonly setPayout: (agreed: AgreedPayout | null) => Promise<void>
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

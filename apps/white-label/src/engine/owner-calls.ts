import type { PaymentSummary } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import type { MinerDesk } from './miner-desk.ts'
import type { MiningPolicy } from './mining-policy.ts'
import type { ConsentProof } from './payment-consent.ts'
import type { PaymentOrder } from './payment-desk.ts'

/** What a page may ask of the owner among the tabs, whichever tab it is in. */
export type OwnerCalls = {
  readonly start: (nothing: undefined) => Promise<void>
  readonly stop: (nothing: undefined) => Promise<void>
  readonly setAgent: (agent: Address | null) => Promise<void>
  readonly setPolicy: (policy: MiningPolicy) => Promise<void>
  readonly resync: (nothing: undefined) => Promise<void>
  readonly preparePayment: (order: {
    readonly ticket: string
    readonly parameters: PaymentOrder
  }) => Promise<PaymentSummary>
  /** Signs and sends what was prepared, if the proof is of consent to its very bytes. */
  readonly approvePayment: (approval: {
    readonly ticket: string
    readonly proof: ConsentProof
  }) => Promise<string>
  readonly declinePayment: (ticket: string) => Promise<void>
}

export const ownerCallNames = [
  'start',
  'stop',
  'setAgent',
  'setPolicy',
  'resync',
  'preparePayment',
  'approvePayment',
  'declinePayment',
] as const satisfies readonly (keyof OwnerCalls)[]

export const isOwnerCall = (name: string): name is keyof OwnerCalls =>
  (ownerCallNames as readonly string[]).includes(name)

export const ownerCalls = (desk: MinerDesk): OwnerCalls => ({
  start: desk.start,
  stop: desk.stop,
  setAgent: desk.setAgent,
  setPolicy: desk.setPolicy,
  resync: desk.resync,
  preparePayment: async ({ ticket, parameters }) => (await desk.payments()).prepare(ticket, parameters),
  approvePayment: async ({ ticket, proof }) => (await desk.payments()).approve(ticket, proof),
  declinePayment: async (ticket) => (await desk.payments()).decline(ticket),
})

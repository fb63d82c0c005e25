import type { Client, PaymentInfo, Payments, PayParameters } from '@hailstone/client'
import type { MiningNode } from '@hailstone/mining-node'
import type { AccountWatch } from '@hailstone/mining-node/watch'

/** The part of a mining node that the hooks use; a proxy of a node in a worker fits, too. */
export type MinerPort = Pick<MiningNode, 'snapshot' | 'subscribe' | 'start' | 'stop'>

/** The part of an account watch, or of a mining node, that the hooks read. */
export type WatchPort = Pick<AccountWatch, 'snapshot' | 'subscribe'>

/** Client actions that the hooks call. Without `getKeyBlockHeight` rewards have no height. */
export type ClientPort = Pick<Client, 'getToken' | 'getRewards' | 'getMicroblock'> &
  Partial<Pick<Client, 'getKeyBlockHeight'>>

/** The part of payments that the hooks use. */
export type PaymentsPort = {
  /** Makes a payment, as `pay` of `createPayments`. */
  readonly pay: (parameters: PayParameters) => Promise<{
    /** Id of the payment in its journal. */
    readonly id: string
  }>
  /** Returns the payments of the journal, oldest first. */
  readonly list: () => readonly PaymentInfo[]
  /** Calls the listener at each change. Returns the unsubscribe function. */
  readonly subscribe: (
    listener: (event: Parameters<Parameters<Payments['subscribe']>[0]>[0]) => void,
  ) => () => void
}

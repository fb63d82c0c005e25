import type { Client, PaymentInfo, Payments, PayParameters } from '@hailstone/client'
import type { MiningNode } from '@hailstone/mining-node'

/** What the hooks need of a mining node; a node in a worker can stand behind it as well. */
export type MinerPort = Pick<MiningNode, 'snapshot' | 'subscribe' | 'start' | 'stop'>

/** What the hooks ask the network. */
export type ClientPort = Pick<Client, 'getToken' | 'getRewards' | 'getMicroblock'>

/** What the hooks need of payments. */
export type PaymentsPort = {
  readonly pay: (parameters: PayParameters) => Promise<{ readonly id: string }>
  readonly list: () => readonly PaymentInfo[]
  readonly subscribe: (
    listener: (event: Parameters<Parameters<Payments['subscribe']>[0]>[0]) => void,
  ) => () => void
}

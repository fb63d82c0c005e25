import type { Client } from '@hailstone/client'
import type { Address, TokenId } from '@hailstone/protocol'
import type { ChosenNetwork } from '../chosen-network.ts'

/** Network and account that `hailstone doctor` checks. */
export type DoctorContext = {
  readonly chosen: ChosenNetwork
  /** Null without an API. */
  readonly client: Client | null
  /** Undefined when only the network is checked. */
  readonly address: Address | undefined
  /** Accounts of a fleet, whose stakes are looked at; undefined without one. */
  readonly fleet: readonly Address[] | undefined
  /** Undefined means the native token. */
  readonly tokenId: TokenId | undefined
  readonly referralAgent: Address | undefined
  /** Folder of the miners' records. */
  readonly minersFolder: string
  readonly nowMs: () => number
  readonly signal: AbortSignal
}

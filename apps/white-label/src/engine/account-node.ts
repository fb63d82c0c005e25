import type { ClientCore, Wallet } from '@hailstone/client'
import type { Address, MiningNode, TokenId } from '@hailstone/mining-node'

/** A node that watches one account and, if the build allows it, mines for it. */
export type AccountNode = Pick<
  MiningNode,
  'address' | 'state' | 'snapshot' | 'subscribe' | 'on' | 'watch' | 'start' | 'stop' | 'close'
>

export type AccountNodeParameters = {
  readonly wallet: Wallet
  readonly client: ClientCore
  readonly gatewayUrls: readonly string[]
  readonly requireEncryption: boolean
  readonly tokenId: TokenId
  readonly referralAgent: Address | undefined
}

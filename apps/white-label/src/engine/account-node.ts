import type { Client, Wallet } from '@hailstone/client'
import type { Address, MiningNode, TokenId } from '@hailstone/mining-node'

/** What follows one account, and mines for it where it can. */
export type AccountNode = Pick<
  MiningNode,
  'address' | 'state' | 'snapshot' | 'subscribe' | 'on' | 'watch' | 'start' | 'stop' | 'close'
>

export type AccountNodeParameters = {
  readonly wallet: Wallet
  readonly client: Client
  readonly gatewayUrl: string | undefined
  readonly tokenId: TokenId
  readonly referralAgent: Address | undefined
}

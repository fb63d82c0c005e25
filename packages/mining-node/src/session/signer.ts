import type { Address, Hail, Hash, Publication, TokenId } from '@hailstone/protocol'

/** What the session asks of a wallet: two typed messages. Nothing else is ever signed here. */
export type SessionSigner = {
  readonly address: Address
  readonly signHail: (parameters: {
    readonly host: string
    readonly tokenId: TokenId
    readonly referralAgent?: Address | undefined
  }) => Hail
  readonly signPublication: (parameters: {
    readonly microblockHash: Hash
    readonly keyBlockHash: Hash
    readonly tokenId: TokenId
    readonly referralAgent?: Address | undefined
  }) => Publication
}

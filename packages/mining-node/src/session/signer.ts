import type { Address, Hail, Hash, Publication, TokenId } from '@hailstone/protocol'

/** Signs the two typed messages of a session. A session never signs anything else. */
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

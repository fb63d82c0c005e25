import type { Address, TokenId } from '@hailstone/protocol'

/** A miner that introduced itself, and the token it mines. */
export type OnlineMiner = { readonly address: Address; readonly tokenId: TokenId }

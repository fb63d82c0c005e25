import type { Balance, TokenInfo } from '@hailstone/client'
import type { Address, NetworkInfo, TokenId } from '@hailstone/protocol'

/** How a gateway met a hail with a throw-away key. */
export type HailOutcome =
  | { readonly kind: 'accepted' }
  /** The gateway said an error code, or closed at once. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** All that the online checks ask of the world. */
export type BrandProbe = {
  readonly getNetworkInfo: () => Promise<NetworkInfo>
  /** Undefined when the network does not know the token. */
  readonly getToken: (parameters: { readonly tokenId: TokenId }) => Promise<TokenInfo | undefined>
  readonly getBalance: (parameters: {
    readonly address: Address
    readonly tokenId: TokenId
  }) => Promise<Balance>
  /** Least native balance of an agent; undefined when the network has none. */
  readonly getReferrerStake: () => Promise<bigint | undefined>
  readonly hail: (parameters: { readonly url: string; readonly tokenId: TokenId }) => Promise<HailOutcome>
  /** HTTP status of a page after redirects; null when nothing answered. */
  readonly getStatus: (url: string) => Promise<number | null>
}

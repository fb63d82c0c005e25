import type { Balance, TokenInfo } from '@hailstone/client'
import type { Address, NetworkInfo, TokenId } from '@hailstone/protocol'

/** Answer of a gateway to a hail with a throw-away key. */
export type HailOutcome =
  | { readonly kind: 'accepted' }
  /** The gateway sent an error code or closed at once. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Answer of the host of a feed. */
export type FeedAnswer = {
  /** HTTP status; null if nothing answered in time. */
  readonly status: number | null
  readonly isRedirected: boolean
  /** Value of `Access-Control-Allow-Origin`; null without it. */
  readonly allowedOrigin: string | null
  /** Null if it is larger than the app reads, or not UTF-8. */
  readonly text: string | null
}

/** Requests of the online checks. */
export type BrandProbe = {
  readonly getNetworkInfo: () => Promise<NetworkInfo>
  /** Undefined if the network does not know the token. */
  readonly getToken: (parameters: { readonly tokenId: TokenId }) => Promise<TokenInfo | undefined>
  readonly getBalance: (parameters: {
    readonly address: Address
    readonly tokenId: TokenId
  }) => Promise<Balance>
  /** Least native balance of an agent, in units; undefined if the network has none. */
  readonly getReferrerStake: () => Promise<bigint | undefined>
  /** Requests the stake for an account that nobody keeps. Null if it is sent, otherwise why not. */
  readonly askFaucet: (parameters: { readonly tokenId: TokenId }) => Promise<string | null>
  readonly hail: (parameters: {
    readonly url: string
    readonly tokenId: TokenId
    /** Origin of the page that would connect; a bridge may accept only some. */
    readonly origin?: string | undefined
  }) => Promise<HailOutcome>
  /** Reads a feed as a page of that origin would. */
  readonly readFeed: (feed: { readonly url: string; readonly origin: string }) => Promise<FeedAnswer>
  /** HTTP status of a page after redirects; null if nothing answered. */
  readonly getStatus: (url: string) => Promise<number | null>
}

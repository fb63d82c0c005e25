import type { Address, TokenId } from '@hailstone/mining-node'
import type { MiningPolicy } from './mining-policy.ts'

/** What the engine has to know of a brand; everything else of it is for the screen. */
export type EngineConfig = {
  /** Names everything that is stored, so that two brands on one host share nothing. */
  readonly brandId: string
  readonly apiUrl: string
  /** The first one is used. */
  readonly gatewayUrls: readonly string[]
  readonly tokenId: TokenId
  /** Used until the person chooses; null for none. */
  readonly defaultAgent: Address | null
  readonly policy: MiningPolicy
  /** A locked tab shows and does nothing before the passphrase was entered in it. */
  readonly isHiddenWhileLocked: boolean
  /** A person may store the key without a passphrase, since the coins have no value. */
  readonly mayStayUnprotected: boolean
  /** The first run asks for a referral agent. */
  readonly hasAgentStep: boolean
  readonly autoStart: boolean
}

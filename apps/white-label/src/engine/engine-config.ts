import type { Address, TokenId } from '@hailstone/mining-node'
import type { MiningPolicy } from './mining-policy.ts'

/** The settings of a brand that the engine needs. */
export type EngineConfig = {
  /** Prefix of all stored names, so that two brands on one host share nothing. */
  readonly brandId: string
  readonly apiUrl: string
  /** WebSocket addresses of gateways: another one is tried when one does not answer. */
  readonly gatewayUrls: readonly string[]
  /** Refuses unencrypted connections to other machines, redirects to them included. */
  readonly requireEncryption: boolean
  readonly tokenId: TokenId
  /** Decimals by token id as the brand has them. An API that says otherwise is refused. */
  readonly tokenDecimals: Readonly<Record<TokenId, number>>
  /** Referral agent until the person chooses one; null for none. */
  readonly defaultAgent: Address | null
  /** False if the brand fixes the agent: only the first run sets one, and not another than `defaultAgent`. */
  readonly canChangeAgent: boolean
  /** False if the brand has no payments: none is prepared. */
  readonly canSend: boolean
  /** True if people may have coins paid out by a rule. */
  readonly mayPayOut: boolean
  readonly policy: MiningPolicy
  /** True if a locked tab shows nothing until the passphrase is entered. */
  readonly isHiddenWhileLocked: boolean
  /** True if the key may be stored without a passphrase, because the token has no value. */
  readonly mayStayUnprotected: boolean
  /** True if the first run asks for a referral agent. */
  readonly hasAgentStep: boolean
  /** True if people may set up a passkey, in packages fingerprint or face. */
  readonly mayHavePasskey: boolean
  /** Pages of partners that may ask people to sign in. Empty for none. */
  readonly signInPages: readonly string[]
  /** True if people may have more than one account. */
  readonly mayHaveSeveral: boolean
  readonly autoStart: boolean
}

/** Returns the name of the key database; the page's list of remembered accounts has the same name. */
export const vaultNameOf = ({ brandId }: Pick<EngineConfig, 'brandId'>): string =>
  `hailstone-${brandId}-vault`

/** Returns the name of the database with the rewards of one account. */
export const rewardStoreName = (
  { brandId, tokenId }: Pick<EngineConfig, 'brandId' | 'tokenId'>,
  address: Address,
): string => `hailstone-${brandId}-rewards-${address}-${tokenId}`

/** Returns the name of the database with the payments of one account. */
export const paymentJournalName = ({ brandId }: Pick<EngineConfig, 'brandId'>, address: Address): string =>
  `hailstone-${brandId}-payments-${address}`

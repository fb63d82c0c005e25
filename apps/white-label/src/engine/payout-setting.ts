import type { Address, TokenId } from '@hailstone/mining-node'
import type { PayoutFault, PayoutObstacle } from '@hailstone/mining-node/amounts'

/** Rule by which the coins of a person leave the mining account. Amounts are in units of the token. */
export type PayoutSetting = {
  readonly to: Address
  readonly tokenId: TokenId
  /** Decimals by which the amounts were read. */
  readonly decimals: number
  readonly above: bigint
  readonly least: bigint
  readonly everyMs: number
  /** Height of the chain when the person agreed: payments below it are known. */
  readonly height: number
}

/** A rule with the proof that somebody with the passphrase agreed to exactly this rule. */
export type AgreedPayout = PayoutSetting & {
  /** Made by `proveConsent`. */
  readonly proof: string
}

/**
 * Returns the rule in what was stored or received, without other members; null if it is not well formed. Any page of this
 * origin can store and send one.
 */
export function agreedPayoutOf(
  value: unknown,
  isAddress: (value: unknown) => value is Address,
): AgreedPayout | null {
  const { to, tokenId, decimals, above, least, everyMs, height, proof } = Object(value) as AgreedPayout
  const isFormed =
    isAddress(to) &&
    [tokenId, proof].every((text) => typeof text === 'string') &&
    [above, least].every((units) => typeof units === 'bigint') &&
    [decimals, everyMs, height].every((count) => Number.isSafeInteger(count) && count >= 0)
  return isFormed ? { to, tokenId, decimals, above, least, everyMs, height, proof } : null
}

/** Why nothing was paid at the last check. `failed`: the network or the journal could not be used. */
export type PayoutWait = PayoutObstacle | PayoutFault | 'notAgreed' | 'failed'

export type PayoutState = {
  readonly setting: PayoutSetting
  /** Null before the first check, and after a payout. */
  readonly why: PayoutWait | null
}

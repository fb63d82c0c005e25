import type { Client, Wallet } from '@hailstone/client'
import { type PayOutParameters, payOut, payoutReadings } from '@hailstone/mining-node/amounts'
import { isAddress, isTokenId } from '@hailstone/protocol'
import type { AccountNode } from './account-node.ts'
import type { PaymentApprovals } from './payment-approvals.ts'
import { isConsent } from './payment-consent.ts'
import type { AgreedPayout, PayoutSetting, PayoutWait } from './payout-setting.ts'

// Loaded where a person has set up payouts.

/** Returns the members that are agreed to, and no others. */
const settingOf = ({
  to,
  tokenId,
  decimals,
  above,
  least,
  everyMs,
  height,
}: PayoutSetting): PayoutSetting => ({ to, tokenId, decimals, above, least, everyMs, height })

/** True if the rule is well formed and a holder of the key agreed to it: any page of this origin can store one. */
export async function isAgreedPayout(wallet: Wallet, agreed: AgreedPayout): Promise<boolean> {
  const { to, tokenId, decimals, above, least, everyMs, height } = Object(agreed) as AgreedPayout
  const isFormed =
    isAddress(to) &&
    isTokenId(tokenId) &&
    [decimals, everyMs, height].every((value) => Number.isSafeInteger(value) && value >= 0) &&
    [above, least].every((units) => typeof units === 'bigint')
  return isFormed && isConsent(wallet, settingOf(agreed), agreed.proof)
}

/** Pays out once if the rule says so. Returns why nothing was paid; null after a payout. */
export async function payOutOnce(given: {
  readonly client: Client
  readonly wallet: Wallet
  readonly payments: Pick<PaymentApprovals, 'pay' | 'list' | 'isWaiting'>
  readonly agreed: AgreedPayout
  readonly snapshot: ReturnType<AccountNode['snapshot']>
  readonly signal: AbortSignal
}): Promise<PayoutWait | null> {
  const { client, wallet, payments, agreed, snapshot, signal } = given
  const isOfToken = agreed.tokenId === snapshot.tokenId
  if (!isOfToken || !(await isAgreedPayout(wallet, agreed))) return 'notAgreed'
  // It was shown to a person with the balance that a payout would take.
  if (payments.isWaiting()) return 'paymentUnderWay'
  const { to, tokenId, above, least, everyMs, decimals, height } = agreed
  const parameters: PayOutParameters = {
    ...{ client, payments, address: wallet.address, decimals, signal },
    rule: { to, tokenId, above, least, everyMs },
    confirmed: { to, height },
    readings: payoutReadings(snapshot),
  }
  const outcome = await payOut(parameters)
  return outcome.status === 'waits' ? outcome.why : null
}

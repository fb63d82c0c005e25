import { getMacroblockByHash, type Wallet } from '@hailstone/client'
import { type PayOutParameters, payOut, payoutReadings } from '@hailstone/mining-node/amounts'
import { isTokenId } from '@hailstone/protocol'
import type { AccountNode } from './account-node.ts'
import type { NetworkClient } from './network-client.ts'
import type { PaymentApprovals } from './payment-approvals.ts'
import { isConsent } from './payment-consent.ts'
import type { AgreedPayout, PayoutWait } from './payout-setting.ts'

// Loaded where a person has set up payouts.

/** True if a holder of the key agreed to the rule. */
export const isAgreedPayout = async (wallet: Wallet, { proof, ...setting }: AgreedPayout): Promise<boolean> =>
  isTokenId(setting.tokenId) && isConsent(wallet, setting, proof)

/** Pays out once if the rule says so. Returns why nothing was paid; null after a payout. */
export async function payOutOnce(given: {
  readonly client: NetworkClient
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
    client: { ...client, getMacroblockByHash: (given) => getMacroblockByHash(client, given) },
    ...{ payments, address: wallet.address, decimals, signal },
    rule: { to, tokenId, above, least, everyMs },
    confirmed: { to, height },
    readings: payoutReadings(snapshot),
  }
  const outcome = await payOut(parameters)
  return outcome.status === 'waits' ? outcome.why : null
}

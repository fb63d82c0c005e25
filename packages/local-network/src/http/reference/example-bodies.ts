import {
  addressOf,
  encodeWith,
  parsePrivateKey,
  postTransactionEndpoint,
  sha256Hex,
  stringifyJson,
  toAmount,
} from '@hailstone/protocol'
import { signPayment } from '../../chain/sign-payment.ts'
import type { OpenNetwork } from '../../open-network.ts'
import { systemRandomness } from '../../system-randomness.ts'

/**
 * Bodies that this network takes, new ones each time: a signed payment of one coin between two development accounts,
 * and an address that the faucet has not served.
 */
export function exampleBodies({ genesis }: Pick<OpenNetwork, 'genesis'>): Readonly<Record<string, string>> {
  const [from, to] = genesis.accounts.developers
  const { native } = genesis.tokens
  const fresh = addressOf(parsePrivateKey(sha256Hex(`example ${systemRandomness()} ${systemRandomness()}`)))
  if (from === undefined || to === undefined) return {}
  const amount = toAmount(10n ** BigInt(native.decimals) + native.feeValue)
  const payment = { from, to: to.address, amount, tokenId: native.id, random: systemRandomness }
  const { transaction } = signPayment(payment)
  const { body } = postTransactionEndpoint
  return {
    ...(body === undefined ? {} : { 'POST /tx': stringifyJson(encodeWith(body, [transaction])) }),
    'POST /faucet': JSON.stringify({ pubkey: fresh }),
  }
}

import type { DevelopmentAccount, Genesis } from '@hailstone/ledger'
import type { Address, Amount, Hash, Transaction } from '@hailstone/protocol'
import { signPayment } from '../src/chain/sign-payment.ts'

/** A signed payment in the native coin, with a nonce of its own. */
export const payment = (
  genesis: Pick<Genesis, 'tokens'>,
  parameters: { readonly from: DevelopmentAccount; readonly to: Address; readonly amount: bigint },
): { readonly transaction: Transaction; readonly hash: Hash } =>
  signPayment({
    ...parameters,
    amount: parameters.amount as Amount,
    tokenId: genesis.tokens.native.id,
    random: Math.random,
  })

/** Posts a transaction as clients do. Called again it posts the same bytes. */
export function postTransaction(apiUrl: string, transaction: Transaction): Promise<Response> {
  const { signature, tokenId, amount, ...rest } = transaction
  return fetch(`${apiUrl}/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ ...rest, amount: String(amount), sign: signature, ticker: tokenId }]),
  })
}

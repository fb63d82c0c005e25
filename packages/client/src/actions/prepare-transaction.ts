import {
  type Address,
  type Amount,
  apiError,
  type FeeRule,
  grossForNet,
  netAmount,
  type TokenId,
  type TransactionFields,
  transferFee,
} from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { ofDraft, transactionFields } from '../transaction-fields.ts'
import { type Balance, getBalance } from './get-balance.ts'
import { getNativeToken } from './get-native-token.ts'
import { namedNativeTokenId } from './get-native-token-id.ts'
import { getToken, type TokenInfo } from './get-token.ts'
import { randomNonce } from './random-nonce.ts'
import { type FeePayers, type TransactionWarning, transactionWarnings } from './transaction-warnings.ts'

/** Parameters of {@link prepareTransaction}. */
export type PrepareTransactionParameters = Cancellable & {
  /** Address of the sender: 02 or 03 and 64 hex digits. */
  readonly from: string
  /** Address of the receiver: 02 or 03 and 64 hex digits. */
  readonly to: string
  /** Gross units, 1 … 2^64 - 1: the fee is inside. */
  readonly amount: bigint
  /** @default the network's native token */
  readonly tokenId?: string | undefined
  /** Up to 512 of `0-9 a-z A-Z blank _ - / .`, with `takesNewerData` of the client also of `+ =`. @default '' */
  readonly memo?: string | undefined
  /** An encoded contract, instead of a memo. */
  readonly contract?: string | undefined
  /** @default random */
  readonly nonce?: number | undefined
}

/** A checked transaction: the fields to agree to and the figures to show beside them. */
export type PreparedTransaction = {
  /** For `wallet.signTransaction`: nothing is added or changed afterwards. */
  readonly fields: TransactionFields
  readonly token: TokenInfo
  /** In units of the transferred token. */
  readonly fee: Amount
  /** Amount that the receiver gets, in units; negative if the fee exceeds the amount. */
  readonly net: bigint
  /** Native units taken from the sender besides the amount; only tokens of fee type 2 have it. */
  readonly nativeFee: Amount
  /** Native units taken from the sender as the owner of the token, who pays for each transfer of it; 0 for others. */
  readonly ownerFee: Amount
  /** The sender's balance of the token. */
  readonly balance: Balance
  /** Negative when the balance is too low. */
  readonly balanceAfter: bigint
  /** The sender's native units before the payment; null if it is the native token that is paid. */
  readonly nativeBalance: Amount | null
  /** Problems found with the transaction; otherwise empty. */
  readonly warnings: readonly TransactionWarning[]
  /** The gross amount out of which exactly `net` units arrive. Throws `AMOUNT_OUT_OF_RANGE`. */
  readonly grossForNet: (net: bigint) => Amount
}

const NOTHING = 0n as Amount

/** The fee rule of a token as the network shows it. */
export const feeRuleOf = ({ feeType, feeValue, feeMinimum }: TokenInfo): FeeRule => ({
  feeType,
  feeValue,
  feeMinimum: feeMinimum ?? NOTHING,
})

/**
 * Works out what a payment will do: fee, net amount, balance and warnings. Signs and sends nothing.
 *
 * Source: `GET /token_info`, `GET /balance`; for custom tokens also the native balances that pay fees.
 *
 * @throws {NodeError} `TOKEN_UNKNOWN`; what is wrong with a parameter; what the look-ups throw
 */
export async function prepareTransaction(
  client: ClientCore,
  parameters: PrepareTransactionParameters,
): Promise<PreparedTransaction> {
  assertNames('of prepareTransaction', parameters, ofDraft)
  const { from, to, amount, memo, contract, signal } = parameters
  const { nonce = randomNonce(client.randomness) } = parameters
  const { takesNewerData, nativeTokenId: presetTokenId } = client.network
  const draft = { from, to, amount, memo, contract, nonce, takesNewerData }
  // A wrong parameter is refused before anything is requested.
  transactionFields({
    ...draft,
    tokenId: parameters.tokenId === undefined ? presetTokenId : parameters.tokenId,
  })
  const nativeTokenId = await namedNativeTokenId(client, { signal })
  const { tokenId = nativeTokenId } = parameters
  const fields = transactionFields({ ...draft, tokenId })
  const [token, balance] = await Promise.all([
    getToken(client, { tokenId, signal }),
    getBalance(client, { address: from, tokenId, signal }),
  ])
  if (token === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
  const rule = feeRuleOf(token)
  const money = {
    fee: transferFee(rule, amount),
    net: netAmount(rule, amount),
    nativeFee: token.feeType === 2 ? token.feeValue : NOTHING,
    balanceAfter: balance.amount - amount,
  }
  const payers =
    tokenId === nativeTokenId
      ? null
      : await feePayers(client, { from: fields.from, token, nativeTokenId, signal })
  const warnings = transactionWarnings({ fields, token, balance, ...money, payers })
  const nativeBalance = payers?.senderNative ?? null
  const ownerFee = token.owner === fields.from ? (payers?.ownerFee ?? NOTHING) : NOTHING
  return {
    fields,
    token,
    balance,
    ...money,
    ownerFee,
    nativeBalance,
    warnings,
    grossForNet: (net) => grossForNet(rule, net),
  }
}

async function feePayers(
  client: ClientCore,
  parameters: Cancellable & {
    readonly from: Address
    readonly token: TokenInfo
    readonly nativeTokenId: TokenId
  },
): Promise<FeePayers> {
  const { from, token, nativeTokenId: tokenId, signal } = parameters
  const [sender, owner, native] = await Promise.all([
    getBalance(client, { address: from, tokenId, signal }),
    getBalance(client, { address: token.owner, tokenId, signal }),
    getNativeToken(client, { signal }),
  ])
  if (native === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
  return { senderNative: sender.amount, ownerNative: owner.amount, ownerFee: native.feeValue }
}

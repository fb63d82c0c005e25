import {
  type Address,
  type Amount,
  assertArgument,
  isAddress,
  NodeError,
  type TokenId,
  type Transaction,
  type TransactionFields,
} from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import { isChainOf } from '../chain/chain-identity.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { assertMemo, assertSender, transactionFields } from '../transaction-fields.ts'
import type { DeriveNonce } from '../wallet/wallet.ts'
import type { FeeCap } from './fee-cap.ts'
import type { Payment } from './payment.ts'
import type { PaymentSummary } from './payment-summary.ts'

/** The members of a wallet that payments use. Each payment is signed once. */
export type PaymentSigner = {
  /** Account that pays. */
  readonly address: Address
  /** Signs the fields without a change; called once for a payment. */
  readonly signTransaction: (fields: TransactionFields) => Transaction | Promise<Transaction>
  /**
   * Derives the nonce of an order, so that the same order is the same bytes from any journal. A signer that has this
   * method also has to sign the same fields with the same bytes (RFC 6979).
   *
   * @default a random nonce: an order that a lost journal had is then another payment, and `pay` refuses it with
   *   `JOURNAL_BEHIND` when the account's history shows payments that the journal does not have
   */
  readonly deriveNonce?: DeriveNonce | undefined
}

/** A payment that is asked for, for `payments.pay`. */
export type PayParameters = Cancellable & {
  /** Address of the receiver: 02 or 03 and 64 hex digits. */
  readonly to: string
  /** Gross units, 1 … 2^64 - 1: the fee is inside. */
  readonly amount: bigint
  /** @default the network's native token */
  readonly tokenId?: string | undefined
  /** Up to 512 of `0-9 a-z A-Z blank _ - / .`, with `takesNewerData` of the client also of `+ =`. @default '' */
  readonly memo?: string | undefined
  /** @default that of the payments */
  readonly wallet?: PaymentSigner | undefined
  /** @default that of the payments */
  readonly feeCap?: FeeCap | undefined
  /**
   * Units of the token, from 0, that have to be left after this payment and all that is under way. Payments that are made
   * later may take them. @default 0n
   */
  readonly reserve?: bigint | undefined
  /**
   * Shows a person what will be signed; only `true` goes on.
   *
   * @default the call itself is the consent
   */
  readonly consent?: ((summary: PaymentSummary) => boolean | Promise<boolean>) | undefined
  /** Your own name for this payment on this chain, such as an order number: asked for twice, it is paid once. */
  readonly idempotencyKey?: string | undefined
}

/** A payment that was asked for, in the form in which it is signed: addresses and token in lower case, with a memo. */
export type Order = Omit<PayParameters, 'to' | 'amount' | 'tokenId' | 'memo' | 'wallet' | 'feeCap'> & {
  readonly to: Address
  readonly amount: Amount
  /** Undefined stands for the native token. */
  readonly tokenId: TokenId | undefined
  readonly memo: string
  readonly wallet: PaymentSigner
  readonly feeCap: FeeCap
}

const ofPayment = [
  'to',
  'amount',
  'tokenId',
  'memo',
  'wallet',
  'feeCap',
  'reserve',
  'consent',
  'idempotencyKey',
  'signal',
  'from',
]

/**
 * Checks what was asked for, before anything is requested. The characters of the memo are judged by `assertMemo` when a
 * payment is made: an older version, or a client with other settings, may have made this one.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `CONFIGURATION_INVALID`, what is wrong with a parameter
 */
export function orderOf(
  parameters: PayParameters,
  defaults: { readonly wallet: PaymentSigner | undefined; readonly feeCap: FeeCap },
  { diagnostics, network }: Pick<ClientCore, 'diagnostics' | 'network'>,
): Order {
  const isObject = Object(parameters) === parameters
  assertArgument(isObject, 'of pay', 'an object, such as { to, amount }', parameters)
  const { names } = diagnostics ?? {}
  names?.pay(parameters)
  assertNames('of pay', parameters, ofPayment)
  const { wallet = defaults.wallet, idempotencyKey } = parameters
  const feeCap = parameters.feeCap ?? defaults.feeCap
  names?.feeCap(feeCap)
  for (const [name, units] of Object.entries(feeCap)) {
    const isUnits = ['bigint', 'undefined'].includes(typeof units)
    const expected = "a bigint, such as 25n or parseAmount('25', token)"
    assertArgument(isUnits, `feeCap.${name}`, expected, units)
  }
  const { reserve = 0n } = parameters
  const isReserve = typeof reserve === 'bigint' && reserve >= 0n
  assertArgument(isReserve, 'reserve', 'a bigint of units from 0', reserve)
  const isKey = idempotencyKey === undefined || (typeof idempotencyKey === 'string' && idempotencyKey !== '')
  assertArgument(isKey, 'idempotencyKey', 'a text that is not empty', idempotencyKey)
  if (wallet === undefined) {
    const facts = { path: 'wallet', expected: 'the wallet that pays', found: 'none' }
    throw new NodeError('CONFIGURATION_INVALID', facts)
  }
  assertArgument(isAddress(wallet.address), 'wallet', 'a wallet', wallet)
  const { tokenId = network.nativeTokenId, memo = '' } = parameters
  if (typeof memo !== 'string') assertMemo(memo)
  const draft = { from: wallet.address, to: parameters.to, amount: parameters.amount, tokenId }
  const fields = transactionFields({ ...draft, nonce: 0 })
  assertSender(parameters, wallet)
  return {
    ...parameters,
    to: fields.to,
    amount: fields.amount,
    tokenId: parameters.tokenId === undefined ? undefined : fields.tokenId,
    memo,
    wallet,
    feeCap,
  }
}

/** True if two orders would make the same payment, apart from its nonce. */
export const isSameOrder = (a: Order, b: Order): boolean =>
  a.wallet.address === b.wallet.address &&
  a.to === b.to &&
  a.amount === b.amount &&
  a.tokenId === b.tokenId &&
  a.memo === b.memo

/** True if one of two orders leaves the native token out and the other names a token, which may be that one. */
export const isTokenUnclear = ({ tokenId: a }: Order, { tokenId: b }: Order): boolean =>
  a !== b && (a === undefined || b === undefined)

/** True if a payment is the one that an order of this token asks for. */
export const isPaymentOf = (fields: TransactionFields, order: Order, tokenId: TokenId): boolean =>
  fields.from === order.wallet.address &&
  fields.to === order.to &&
  fields.amount === order.amount &&
  fields.data === order.memo &&
  fields.tokenId === tokenId

/** Payments of a key, on any chain, apart from those that ended before they were signed. */
export const paymentsOfKey = (payments: readonly Payment[], key: string): readonly Payment[] =>
  payments.filter(({ idempotencyKey, state }) => idempotencyKey === key && state.status !== 'withdrawn')

/** Returns the payment of a key on a chain: a key belongs to one chain. */
export const paymentOfKey = (
  payments: readonly Payment[],
  chain: string,
  client: ClientCore,
): Payment | undefined => payments.find((payment) => isChainOf(payment, chain, client))

import {
  type Address,
  type Amount,
  type Hash,
  isNodeError,
  isTransactionSigned,
  paymentError,
  readTransactionBody,
  sha256Hex,
  type TokenId,
  type Transaction,
  type TransactionFields,
  transactionBody,
  transactionDraft,
  transactionHash,
  type VerifyText,
} from '@hailstone/protocol'
import { getHeight } from '../actions/get-height.ts'
import { getMacroblockByHash } from '../actions/get-macroblock-by-hash.ts'
import { getToken, type TokenInfo } from '../actions/get-token.ts'
import { getTransaction } from '../actions/get-transaction.ts'
import { getTransactions } from '../actions/get-transactions.ts'
import { type PreparedTransaction, prepareTransaction } from '../actions/prepare-transaction.ts'
import { knownDecimals } from '../answer-fault.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { signedInTime } from '../wallet/signed-in-time.ts'
import { isChainOf } from './chain-name.ts'
import { assertFeeWithinCap, type FeeCap } from './fee-cap.ts'
import type { Failpoint } from './journal-store.ts'
import { isSettled, type Payment } from './payment.ts'
import type { UntrackedPayments } from './payment-info.ts'
import { readSame } from './payment-record.ts'
import type { PaymentStore } from './payment-store.ts'
import { type PaymentSummary, type PaymentWarning, paymentSummary } from './payment-summary.ts'
import type { Confirmations } from './transition.ts'

/** The members of a wallet that payments use. Signatures need not be deterministic: each payment is signed once. */
export type PaymentSigner = {
  readonly address: Address
  readonly signTransaction: (fields: TransactionFields) => Transaction | Promise<Transaction>
}

export type PayParameters = Cancellable & {
  readonly to: Address
  /** Gross units: the fee is inside. */
  readonly amount: Amount
  /** @default the network's native token */
  readonly tokenId?: TokenId | undefined
  readonly memo?: string | undefined
  /** @default that of the payments */
  readonly wallet?: PaymentSigner | undefined
  /** @default that of the payments */
  readonly feeCap?: FeeCap | undefined
  /**
   * Shows a person what will be signed; only `true` goes on.
   *
   * @default the call itself is the consent
   */
  readonly consent?: ((summary: PaymentSummary) => boolean | Promise<boolean>) | undefined
  /** Your own name for this payment, such as an order number: asked for twice, it is paid once. */
  readonly idempotencyKey?: string | undefined
}

export type MakePaymentParts = Confirmations & {
  readonly client: ClientCore
  readonly store: PaymentStore
  readonly verify: VerifyText
  readonly failpoint: Failpoint | undefined
  readonly signingTimeoutMs: number
  /** Fires when the payments are closed: what is not signed then is not signed. */
  readonly closing: AbortSignal
  /** Called with what has to be stored before the journal is closed. */
  readonly onSigning: (signing: Promise<void>) => void
  /** Names the chain the client is talking to. */
  readonly chain: () => Promise<string>
  /**
   * Finds payments of an account that this journal does not have. Null if that was checked since the journal was
   * opened.
   */
  readonly unknown: (
    wallet: PaymentSigner,
    signal: AbortSignal | undefined,
  ) => Promise<UntrackedPayments | null>
  /** @throws {NodeError} `PAYMENTS_CLOSED` */
  readonly assertOpen: () => void
}

export type Order = PayParameters & { readonly wallet: PaymentSigner; readonly feeCap: FeeCap }

/**
 * Takes a payment up to the point where its bytes are stored: fee, consent, intent, signature. Nothing leaves
 * this machine here; when it throws, nothing will.
 */
export async function makePayment(parts: MakePaymentParts, order: Order): Promise<Payment> {
  const { client, store, failpoint } = parts
  const { wallet, to, amount, tokenId, memo, feeCap, signal } = order
  const [prepared, anchor, chain, unknown] = await Promise.all([
    prepareTransaction(client, { from: wallet.address, to, amount, tokenId, memo, signal }),
    anchorOf(parts, wallet.address, signal),
    parts.chain(),
    parts.unknown(wallet, signal),
  ])
  const { nativeUnits = oneCoin(client) } = feeCap
  const { nativeSymbol: symbol, nativeDecimals: decimals } = client.network
  const isShown = order.consent !== undefined
  assertFeeWithinCap(
    { ...prepared, amount, isShown },
    { ...feeCap, nativeUnits, native: { symbol, decimals } },
  )
  assertHopeful(prepared, underWay(parts, prepared.fields, chain))
  const draft = transactionDraft(prepared.fields)
  const warnings = [...prepared.warnings, ...warningOf(store, unknown, order)]
  const { fee, nativeFee } = await agreedFees(client, draft, { ...prepared, warnings }, order)
  const payment: Payment = {
    id: sha256Hex(draft).slice(0, 32),
    idempotencyKey: order.idempotencyKey ?? null,
    createdAtMs: client.clock.now(),
    chain,
    draft,
    body: null,
    hash: null,
    fee,
    nativeFee,
    anchor,
    mayBeTaken: false,
    state: { status: 'prepared' },
  }
  parts.assertOpen()
  failpoint?.('intent not stored')
  await store.begin(payment)
  failpoint?.('intent stored')
  const signing = signAndStore(parts, payment, order)
  parts.onSigning(signing)
  await signing
  return store.get(payment.id)
}

const oneCoin = ({ network }: ClientCore): bigint => 10n ** BigInt(network.nativeDecimals)

/**
 * A transaction of the sender below which nothing can appear any more: the last one of the newest page, when it is
 * deep enough to stay where it is. Newer ones may change their places in a fork and end up above this payment, and a
 * copy of it below them would be overlooked. Null when there is none; then all of the history is searched.
 */
async function anchorOf(
  { client, confirmations }: Pick<MakePaymentParts, 'client' | 'confirmations'>,
  address: Address,
  signal: AbortSignal | undefined,
): Promise<Hash | null> {
  const { records, isLast } = await getTransactions(client, { address, signal })
  const hash = records.at(-1)?.hash.toLowerCase() as Hash | undefined
  if (hash === undefined || isLast) return null
  const [found, height] = await Promise.all([
    getTransaction(client, { hash, signal }),
    getHeight(client, { signal }),
  ])
  if (found === undefined) return null
  const macroblock = await getMacroblockByHash(client, { hash: found.keyBlockHash, signal })
  const isDeep = macroblock !== undefined && height - macroblock.keyBlock.height >= confirmations
  return isDeep ? hash : null
}

/** Warnings that end in a rejected transaction, as sentences. */
const hopeless: { readonly [kind: string]: string } = {
  balanceTooLow: 'the balance is too low',
  feeExceedsAmount: 'the fee exceeds the amount',
  nativeBalanceTooLow: 'the native balance is too low for the fee',
  ownerCannotPayFee: 'the owner of the token cannot pay its fee',
}

/** A rejected transaction can be executed later, as a copy with another signature, once the balance is there. */
function assertHopeful({ warnings, balanceAfter }: PreparedTransaction, spoken: bigint): void {
  const reason = warnings.map(({ kind }) => hopeless[kind]).find((sentence) => sentence !== undefined)
  if (reason !== undefined) throw paymentError('PAYMENT_HOPELESS', { reason })
  if (balanceAfter >= spoken) return
  throw paymentError('PAYMENT_HOPELESS', { reason: 'the balance is needed for payments that are under way' })
}

/** Returns the units that unsettled payments on this chain may still take from the same balance. */
function underWay(
  { client, store }: Pick<MakePaymentParts, 'client' | 'store'>,
  { from, tokenId }: TransactionFields,
  chain: string,
): bigint {
  let sum = 0n
  for (const payment of store.payments()) {
    if (isSettled(payment) || isTakenAlready(payment) || !isChainOf(payment, chain, client)) continue
    const fields = store.fieldsOf(payment)
    if (fields.from === from && fields.tokenId === tokenId) sum += fields.amount
  }
  return sum
}

/** Calculated payments are in the balance already, or never will be. */
const isTakenAlready = ({ state }: Payment): boolean =>
  ['confirmed', 'rejected', 'duplicate', 'superseded', 'refused'].includes(state.status)

/** A key promises that nothing is paid twice, which the journal can no longer keep. Others are warned. */
function warningOf(
  store: PaymentStore,
  unknown: UntrackedPayments | null,
  { consent, idempotencyKey }: Order,
): readonly PaymentWarning[] {
  if (unknown === null) return []
  if (idempotencyKey !== undefined) throw paymentError('JOURNAL_BEHIND', unknown)
  if (consent === undefined) store.emit({ type: 'journalBehind', ...unknown })
  return [{ kind: 'paidWithoutJournal', ...unknown }]
}

/** Fees that were agreed to, from the bytes that were agreed to. */
async function agreedFees(
  client: ClientCore,
  draft: string,
  { token, warnings }: Pick<PreparedTransaction, 'token'> & Pick<PaymentSummary, 'warnings'>,
  { consent, signal }: Order,
): Promise<PaymentSummary> {
  const areDecimalsKnown = knownDecimals(client, token.id) !== undefined
  const summary = paymentSummary(draft, { token, warnings, areDecimalsKnown })
  if (consent === undefined) return summary
  if ((await consent(summary)) !== true)
    throw paymentError('PAYMENT_DECLINED', { reason: 'consent was not given' })
  signal?.throwIfAborted()
  assertSameFees(summary, await getToken(client, { tokenId: summary.tokenId, signal }), draft)
  return summary
}

/** People take their time; what they agreed to has to be what the network asks for now. */
function assertSameFees(agreed: PaymentSummary, token: TokenInfo | undefined, draft: string): void {
  const now = token && paymentSummary(draft, { ...agreed, token })
  if (now?.fee !== agreed.fee || now.nativeFee !== agreed.nativeFee)
    throw paymentError('PAYMENT_ALTERED', { reason: 'its fee has changed since' })
  if (now.decimals !== agreed.decimals)
    throw paymentError('PAYMENT_ALTERED', { reason: 'the decimals of its token have changed since' })
}

async function signAndStore(parts: MakePaymentParts, payment: Payment, order: Order): Promise<void> {
  const { store, failpoint } = parts
  const { id, draft } = payment
  let transaction: Transaction
  try {
    transaction = await signedAsAgreed(parts, draft, order)
  } catch (error) {
    await store.apply(id, { type: 'withdrawn', reason: 'it was not signed' })
    throw error
  }
  const hash = transactionHash(transaction)
  failpoint?.('signed')
  try {
    await store.apply(id, { type: 'signed', body: transactionBody(transaction), hash })
  } catch (error) {
    if (!isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
    if (!error.facts.mayBeStored) {
      await store.apply(id, { type: 'withdrawn', reason: 'its bytes could not be stored' })
      throw error
    }
    // After a restart the bytes may be there, and would be sent.
    const { reason } = error.facts
    throw paymentError('TRANSACTION_UNCERTAIN', { hash, transaction, reason }, { cause: error })
  }
  failpoint?.('bytes stored')
}

/** The signature alone is taken from the wallet; everything else is what was agreed to. */
async function signedAsAgreed(
  { client, verify, signingTimeoutMs: timeoutMs, closing }: MakePaymentParts,
  draft: string,
  { wallet, signal }: Order,
): Promise<Transaction> {
  const [fields, copy] = [readTransactionBody(draft), readTransactionBody(draft)]
  if (fields === null || copy === null)
    throw paymentError('PAYMENT_ALTERED', { reason: 'its bytes cannot be read back' })
  const { signature: _, ...unsigned } = copy
  const limits = { timeoutMs, clock: client.clock, signals: [signal, closing] }
  const signed = await signedInTime(() => wallet.signTransaction(unsigned), limits)
  const transaction = { ...fields, signature: Object(signed).signature }
  const isAgreed =
    typeof Object(signed).signature === 'string' &&
    transactionBody(signed) === transactionBody(transaction) &&
    readSame(draft, transactionBody(transaction), signed.signature)
  if (!isAgreed) throw paymentError('PAYMENT_ALTERED', { reason: 'the wallet signed something else' })
  if (isTransactionSigned(transaction, verify)) return transaction
  throw paymentError('PAYMENT_ALTERED', { reason: 'the signature does not belong to its bytes' })
}

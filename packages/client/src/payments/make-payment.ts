import {
  type Address,
  type Hash,
  isNodeError,
  isTransactionSigned,
  paymentError,
  readTransactionBody,
  sha256Hex,
  type Transaction,
  type TransactionFields,
  transactionBody,
  transactionDraft,
  transactionHash,
  type VerifyText,
} from '@hailstone/protocol'
import { getHeight } from '../actions/get-height.ts'
import { getMacroblockByHash } from '../actions/get-macroblock-by-hash.ts'
import { getNativeTokenId } from '../actions/get-native-token-id.ts'
import type { TokenInfo } from '../actions/get-token.ts'
import { getTransaction } from '../actions/get-transaction.ts'
import { getTransactions } from '../actions/get-transactions.ts'
import { type PreparedTransaction, prepareTransaction } from '../actions/prepare-transaction.ts'
import { knownDecimals } from '../answer-fault.ts'
import { isChainOf } from '../chain/chain-identity.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { assertTransactionFields } from '../transaction-fields.ts'
import { signedInTime } from '../wallet/signed-in-time.ts'
import { assertFeeWithinCap } from './fee-cap.ts'
import type { Failpoint } from './journal-store.ts'
import type { NetworkView } from './network-view.ts'
import type { Order } from './order.ts'
import type { Payment } from './payment.ts'
import type { UntrackedPayments } from './payment-info.ts'
import { readSame } from './payment-record.ts'
import type { PaymentStore } from './payment-store.ts'
import { type PaymentWarning, paymentSummary } from './payment-summary.ts'
import { assertHopeful, isCalculated, isUnderWay, pledgeOf, type Spending, whyHopeless } from './spending.ts'
import type { Confirmations } from './transition.ts'

/** Services with which a payment is made. */
export type MakePaymentParts = Confirmations & {
  readonly store: PaymentStore
  readonly verify: VerifyText
  readonly failpoint: Failpoint | undefined
  readonly signingTimeoutMs: number
  /** Fires when the payments are closed: what is not signed then is not signed. */
  readonly closing: AbortSignal
}

/** A payment that nobody has agreed to yet. */
export type DraftedPayment = {
  readonly order: Order
  readonly chain: string
  readonly prepared: PreparedTransaction
  readonly draft: string
  readonly anchor: Hash | null
  /** Calculated payments of the program when the balances were asked for. */
  readonly calculations: number
}

export type DraftParameters = {
  readonly order: Order
  readonly view: NetworkView
  readonly store: PaymentStore
  readonly confirmations: number
  readonly signingTimeoutMs: number
  /** Drafts that are being made, by their keys. */
  readonly drafts: ReadonlyMap<string, string | undefined>
}

/**
 * Reads everything that a payment is made of from one API node, and works out its bytes. An order with a key gets a nonce
 * that is derived from it, where the signer can derive one.
 *
 * @throws {NodeError} what the look-ups throw; `FEE_ABOVE_CAP`
 */
export async function draftPayment(parameters: DraftParameters): Promise<DraftedPayment> {
  const { order, view, store } = parameters
  const { wallet, feeCap, signal } = order
  const client = view.core
  const calculations = store.calculations()
  const [chain, prepared, anchor] = await Promise.all([
    view.chain(),
    prepareOrder(client, order),
    anchorOf(client, parameters, { address: wallet.address, signal }),
  ])
  const isShown = order.consent !== undefined
  const { nativeUnits = oneCoin(client) / (isShown ? 1n : 10n) } = feeCap
  const { nativeSymbol: symbol, nativeDecimals: decimals } = client.network
  assertFeeWithinCap(
    { ...prepared, amount: order.amount, isShown },
    { ...feeCap, nativeUnits, native: { symbol, decimals } },
  )
  const draft = await draftOf(parameters, chain, prepared.fields)
  return { order, chain, prepared, draft, anchor, calculations }
}

const prepareOrder = (
  client: ClientCore,
  { wallet, to, amount, tokenId, memo, signal }: Order,
): Promise<PreparedTransaction> =>
  prepareTransaction(client, { from: wallet.address, to, amount, tokenId, memo, signal })

/** Attempts to find bytes that no other order has. */
const MAX_ATTEMPTS = 16

/** Returns bytes that no other payment of the journal has: the network would take two orders of the same bytes for one. */
async function draftOf(
  { order, view, store, drafts, signingTimeoutMs: timeoutMs }: DraftParameters,
  chain: string,
  fields: TransactionFields,
): Promise<string> {
  const { wallet, idempotencyKey, signal } = order
  const { deriveNonce } = wallet
  if (idempotencyKey === undefined || deriveNonce === undefined) return transactionDraft(fields)
  const limits = { timeoutMs, clock: view.core.clock, signals: [signal] }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const nonce = await signedInTime(() => deriveNonce({ chain, idempotencyKey, attempt }), limits)
    const { from, to, amount, tokenId, data } = fields
    assertTransactionFields({ from, to, amount, tokenId, data, nonce })
    const draft = transactionDraft({ ...fields, nonce })
    const isOfOther = (key: string | null | undefined): boolean => key !== idempotencyKey
    const isMade = store
      .payments()
      .some(
        (payment) => payment.draft === draft && isOfOther(payment.idempotencyKey) && payment.chain === chain,
      )
    if (!isMade && !(drafts.has(draft) && isOfOther(drafts.get(draft)))) return draft
  }
  throw paymentError('PAYMENT_ALTERED', { reason: 'its signer derives the nonce of other payments' })
}

/**
 * Asserts that the balances bear a payment together with all that is under way. A payment whose block the node shows is
 * in the balances that it answers with; where it does not, the payment counts.
 *
 * @throws {NodeError} `PAYMENT_HOPELESS`
 */
export async function assertAffordable(
  view: NetworkView,
  store: PaymentStore,
  { chain, prepared }: Pick<DraftedPayment, 'chain' | 'prepared'>,
): Promise<void> {
  const { from, tokenId } = prepared.fields
  const account = { from, tokenId, nativeTokenId: await getNativeTokenId(view.core) }
  const spendings = store
    .payments()
    .filter((payment) => isUnderWay(payment) && isChainOf(payment, chain, view.core))
    .map((payment): Spending => ({ payment, fields: store.fieldsOf(payment) }))
  const waiting = spendings.filter(({ payment }) => !isCalculated(payment))
  assertHopeful(prepared, pledgeOf(waiting, account))
  if (whyHopeless(prepared, pledgeOf(spendings, account)) === null) return
  const isShown = await Promise.all(
    spendings.map(async ({ payment: { state } }) => 'place' in state && (await view.isOnChain(state.place))),
  )
  assertHopeful(
    prepared,
    pledgeOf(
      spendings.filter((_, at) => isShown[at] !== true),
      account,
    ),
  )
}

/**
 * Shows a payment to whoever has to agree, and checks afterwards, with the balances of that moment, that it is still what
 * was agreed to. Returns the payment that is to be stored.
 *
 * @throws {NodeError} `PAYMENT_DECLINED`, `PAYMENT_ALTERED`; what the look-ups throw
 */
export async function agreedPayment(
  client: ClientCore,
  drafted: DraftedPayment,
  notes: readonly PaymentWarning[],
): Promise<Payment> {
  const { order, chain, prepared, draft, anchor } = drafted
  const { consent, signal, idempotencyKey } = order
  const { token } = prepared
  const areDecimalsKnown = knownDecimals(client, token.id) !== undefined
  const summary = paymentSummary(draft, {
    token,
    warnings: [...prepared.warnings, ...notes],
    areDecimalsKnown,
  })
  if (consent !== undefined && (await consent(summary)) !== true)
    throw paymentError('PAYMENT_DECLINED', { reason: 'consent was not given' })
  signal?.throwIfAborted()
  return {
    id: sha256Hex(draft).slice(0, 32),
    idempotencyKey: idempotencyKey ?? null,
    createdAtMs: client.clock.now(),
    chain,
    draft,
    body: null,
    hash: null,
    fee: summary.fee,
    nativeFee: summary.nativeFee,
    anchor,
    mayBeTaken: false,
    isLeaving: false,
    state: { status: 'prepared' },
  }
}

/**
 * Checks a payment once more and stores it. One payment of an account at a time comes here, so that no two of them count
 * on the same balance. Balances are read again after a consent, which takes time, and when a payment was calculated since.
 *
 * @throws {NodeError} `PAYMENT_HOPELESS`, `PAYMENT_ALTERED`, `JOURNAL_WRITE_FAILED`; what the look-ups throw
 */
export async function beginPayment(
  {
    view,
    store,
    failpoint,
    closing,
  }: Pick<MakePaymentParts, 'store' | 'failpoint' | 'closing'> & {
    readonly view: NetworkView
  },
  drafted: DraftedPayment,
  payment: Payment,
): Promise<void> {
  const { order, calculations, chain } = drafted
  let { prepared } = drafted
  if (order.consent !== undefined || calculations !== store.calculations()) {
    prepared = await prepareOrder(view.core, order)
    assertSameFees(payment, drafted.prepared.token, prepared.token)
  }
  await assertAffordable(view, store, { chain, prepared })
  order.signal?.throwIfAborted()
  closing.throwIfAborted()
  failpoint?.('intent not stored')
  await store.begin(payment)
  failpoint?.('intent stored')
}

const oneCoin = ({ network }: ClientCore): bigint => 10n ** BigInt(network.nativeDecimals)

/**
 * A transaction of the sender below which nothing can appear any more: the last one of the newest page, when it is
 * deep enough to stay where it is. Newer ones may change their places in a fork and end up above this payment, and a
 * copy of it below them would be overlooked. Null when there is none; then all of the history is searched.
 */
async function anchorOf(
  client: ClientCore,
  { confirmations }: Confirmations,
  { address, signal }: Cancellable & { readonly address: Address },
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

/**
 * Returns what to tell of payments that the journal does not have. An order whose nonce is derived is the same payment from
 * every journal; the key of another signer promises that nothing is paid twice, which the journal can no longer keep.
 *
 * @throws {NodeError} `JOURNAL_BEHIND`
 */
export function notesOf(
  untracked: UntrackedPayments | null,
  { wallet, idempotencyKey }: Order,
): readonly PaymentWarning[] {
  if (untracked === null) return []
  if (idempotencyKey !== undefined && wallet.deriveNonce === undefined)
    throw paymentError('JOURNAL_BEHIND', untracked)
  return untracked.newest === null ? [] : [{ kind: 'paidWithoutJournal', ...untracked }]
}

/** People take their time; what they agreed to has to be what the network asks for now. */
function assertSameFees({ draft, fee, nativeFee }: Payment, agreed: TokenInfo, token: TokenInfo): void {
  const now = paymentSummary(draft, { token, warnings: [], areDecimalsKnown: false })
  if (now.fee !== fee || now.nativeFee !== nativeFee)
    throw paymentError('PAYMENT_ALTERED', { reason: 'its fee has changed since' })
  if (token.decimals !== agreed.decimals)
    throw paymentError('PAYMENT_ALTERED', { reason: 'the decimals of its token have changed since' })
}

/** Signed bytes of a payment. */
export type SignedBytes = { readonly transaction: Transaction; readonly hash: Hash }

/**
 * Signs a stored intent. When that fails, the payment is withdrawn: nothing has left, and nothing will.
 *
 * @throws {NodeError} what the signer throws; `PAYMENT_ALTERED`, `SIGNER_FAILED`
 */
export async function signPayment(
  parts: MakePaymentParts,
  client: ClientCore,
  { id, draft }: Payment,
  order: Order,
): Promise<SignedBytes> {
  const { store, failpoint } = parts
  try {
    const transaction = await signedAsAgreed(parts, client, draft, order)
    failpoint?.('signed')
    return { transaction, hash: transactionHash(transaction) }
  } catch (error) {
    await store.apply(id, { type: 'withdrawn', reason: 'it was not signed' })
    throw error
  }
}

/**
 * Stores signed bytes. The same bytes can be stored again after an unknown outcome.
 *
 * @throws {NodeError} `JOURNAL_WRITE_FAILED`: they are not stored; `TRANSACTION_UNCERTAIN`: after a restart they may be
 *   there, and would be sent
 */
export async function storeBytes(
  { store, failpoint }: Pick<MakePaymentParts, 'store' | 'failpoint'>,
  { id }: Payment,
  { transaction, hash }: SignedBytes,
): Promise<void> {
  try {
    await store.apply(id, { type: 'signed', body: transactionBody(transaction), hash })
  } catch (error) {
    if (!isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
    if (!error.facts.mayBeStored) {
      await store.apply(id, { type: 'withdrawn', reason: 'its bytes could not be stored' })
      throw error
    }
    const { reason } = error.facts
    throw paymentError('TRANSACTION_UNCERTAIN', { hash, transaction, reason }, { cause: error })
  }
  failpoint?.('bytes stored')
}

/** The signature alone is taken from the wallet; everything else is what was agreed to. */
async function signedAsAgreed(
  { verify, signingTimeoutMs: timeoutMs, closing }: MakePaymentParts,
  client: ClientCore,
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

import {
  type Address,
  type Hash,
  isNodeError,
  isTransactionSigned,
  malleatedHashes,
  type NodeError,
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
import { throwIfAborted } from '@hailstone/runtime'
import { getBalance } from '../actions/get-balance.ts'
import { getNativeTokenId } from '../actions/get-native-token-id.ts'
import type { TokenInfo } from '../actions/get-token.ts'
import { getTransactions } from '../actions/get-transactions.ts'
import { type PreparedTransaction, prepareTransaction } from '../actions/prepare-transaction.ts'
import { knownDecimals } from '../answer-fault.ts'
import { isChainOf } from '../chain/chain-identity.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { assertTransactionFields } from '../transaction-fields.ts'
import { unlessAborted } from '../transport/on-abort.ts'
import { signedInTime } from '../wallet/signed-in-time.ts'
import { assertFeeWithinCap } from './fee-cap.ts'
import type { Failpoint } from './journal-store.ts'
import type { NetworkView } from './network-view.ts'
import { type Order, paymentOfKey, paymentsOfKey } from './order.ts'
import type { Payment } from './payment.ts'
import type { PaymentHandle, UntrackedPayments } from './payment-info.ts'
import { readSame } from './payment-record.ts'
import type { PaymentStore } from './payment-store.ts'
import { type PaymentWarning, paymentSummary } from './payment-summary.ts'
import { assertHopeful, isCalculated, pledgeOf, type Spending, whyHopeless } from './spending.ts'
import type { Confirmations } from './transition.ts'
import { alikeIn, type Untracked } from './untracked-payments.ts'

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
  /** True if another journal may have sent the same bytes. */
  readonly isShared: boolean
  /** Calculated payments of the program when the balances were asked for. */
  readonly calculations: number
}

export type DraftParameters = {
  readonly order: Order
  readonly view: NetworkView
  readonly store: PaymentStore
  readonly confirmations: number
  readonly signingTimeoutMs: number
  /** Keys of derived drafts that are being made. The new one is added; the caller takes it out. */
  readonly drafts: Map<string, string>
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
    anchorOf(view, parameters, { address: wallet.address, signal }),
  ])
  const isShown = order.consent !== undefined
  const { nativeUnits = oneCoin(client) / (isShown ? 1n : 10n) } = feeCap
  const { nativeSymbol: symbol, nativeDecimals: decimals } = client.network
  assertFeeWithinCap(
    { ...prepared, amount: order.amount, isShown },
    { ...feeCap, nativeUnits, native: { symbol, decimals } },
  )
  const draft = await draftOf(parameters, chain, prepared.fields)
  return { order, chain, prepared, draft, anchor, isShared: false, calculations }
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
  if (idempotencyKey === undefined || wallet.deriveNonce === undefined) return transactionDraft(fields)
  const limits = { timeoutMs, clock: view.core.clock, signals: [signal] }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const derive = () => wallet.deriveNonce?.({ chain, idempotencyKey, attempt }) ?? Number.NaN
    const nonce = await signedInTime(derive, limits)
    const { from, to, amount, tokenId, data } = fields
    assertTransactionFields({ from, to, amount, tokenId, data, nonce })
    const draft = transactionDraft({ ...fields, nonce })
    // The network hashes the memo without regard to letter case.
    const lower = draft.toLowerCase()
    const isOfOther = (payment: Payment): boolean =>
      payment.draft.toLowerCase() === lower &&
      payment.idempotencyKey !== idempotencyKey &&
      payment.chain === chain
    const isTaken =
      store.payments().some(isOfOther) || (drafts.get(lower) ?? idempotencyKey) !== idempotencyKey
    if (isTaken) continue
    drafts.set(lower, idempotencyKey)
    return draft
  }
  throw paymentError('PAYMENT_ALTERED', { reason: 'its signer derives the nonce of other payments' })
}

/** How often a balance is read that bears a payment only because others are in it already. */
const ROUNDS = 6

/**
 * Asserts that the balances bear a payment together with all that is under way. A calculated payment counts as well, unless
 * the node shows its block each time that the balances are read: one address may lead to several nodes, of which some are
 * behind.
 *
 * @throws {NodeError} `PAYMENT_HOPELESS`; what the look-ups throw
 */
export async function assertAffordable(
  view: NetworkView,
  store: PaymentStore,
  { order, chain, prepared }: Pick<DraftedPayment, 'order' | 'chain' | 'prepared'>,
): Promise<void> {
  const { from, tokenId, amount } = prepared.fields
  const nativeTokenId = await getNativeTokenId(view.core)
  const account = { from, tokenId, nativeTokenId, reserve: order.reserve }
  const spendings = store
    .spendable()
    .filter((payment) => isChainOf(payment, chain, view.core))
    .map((payment): Spending => ({ payment, fields: store.fieldsOf(payment) }))
    .filter(({ fields }) => fields.from === from)
  const waiting = pledgeOf(
    spendings.filter(({ payment }) => !isCalculated(payment)),
    account,
  )
  assertHopeful(prepared, waiting)
  if (whyHopeless(prepared, pledgeOf(spendings, account)) === null) return
  for (let round = 0; round < ROUNDS; round++) {
    const hidden = await hiddenFrom(view, spendings)
    const [balance, native] = await Promise.all(
      [tokenId, nativeTokenId].map((id) => getBalance(view.core, { address: from, tokenId: id })),
    )
    const read = { balanceAfter: (balance?.amount ?? 0n) - amount, nativeBalance: native?.amount ?? null }
    assertHopeful({ ...prepared, ...read }, pledgeOf(hidden, account))
  }
}

/** Payments that the balances of a node may not have: those that wait, and those whose block it does not show. */
async function hiddenFrom(view: NetworkView, spendings: readonly Spending[]): Promise<readonly Spending[]> {
  const isShown = await Promise.all(
    spendings.map(async ({ payment: { state } }) => 'place' in state && (await view.isOnChain(state.place))),
  )
  return spendings.filter((_, at) => isShown[at] !== true)
}

/**
 * Shows a payment to whoever has to agree, and checks afterwards, with the balances of that moment, that it is still what
 * was agreed to. Returns the payment that is to be stored.
 *
 * @throws {NodeError} `PAYMENT_DECLINED`, `PAYMENT_ALTERED`; what the look-ups throw
 */
export async function agreedPayment(
  { client, closing }: { readonly client: ClientCore; readonly closing: AbortSignal },
  drafted: DraftedPayment,
  notes: readonly PaymentWarning[],
): Promise<Payment> {
  const { order, chain, prepared, draft, anchor, isShared } = drafted
  const { consent, signal, idempotencyKey } = order
  const { token } = prepared
  const areDecimalsKnown = knownDecimals(client, token.id) !== undefined
  const id = sha256Hex(`${chain} ${draft}`).slice(0, 32)
  const summary = paymentSummary(draft, {
    id,
    token,
    warnings: [...prepared.warnings, ...notes],
    areDecimalsKnown,
  })
  if (consent !== undefined && (await unlessAborted(consent(summary), [signal, closing])) !== true)
    throw paymentError('PAYMENT_DECLINED', { reason: 'consent was not given' })
  throwIfAborted(signal)
  return {
    id,
    idempotencyKey: idempotencyKey ?? null,
    createdAtMs: client.clock.now(),
    chain,
    draft,
    body: null,
    hash: null,
    fee: summary.fee,
    nativeFee: summary.nativeFee,
    ownerFee: prepared.ownerFee,
    anchor,
    isShared,
    isWhole: false,
    mayBeTaken: false,
    isCopied: false,
    nowhere: null,
    isLeaving: false,
    state: { status: 'prepared' },
  }
}

/** A payment whose amount is reserved. */
export type BegunPayment = {
  readonly payment: Payment
  /** Resolves when its intent is stored. Rejects with `JOURNAL_WRITE_FAILED`. */
  readonly handle: Promise<PaymentHandle>
  /** Why the balances do not bear it, which is right if another journal has paid it already. */
  readonly hopeless: NodeError<'PAYMENT_HOPELESS'> | null
}

/**
 * Checks a payment once more and begins to store it. One payment of an account at a time comes here, so that no two of them
 * count on the same balance; none waits for the store of another. Returns the payment that its key has on this chain already, if there is one. Balances are read again after a consent, which takes time, and when a payment was calculated since.
 *
 * @throws {NodeError} `PAYMENT_HOPELESS`, `PAYMENT_ALTERED`; what the look-ups throw
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
): Promise<BegunPayment> {
  const { order, calculations, chain, isShared } = drafted
  let { prepared } = drafted
  if (order.consent !== undefined || calculations !== store.calculations()) {
    prepared = await prepareOrder(view.core, order)
    assertSameFees(payment, drafted.prepared.token, prepared.token)
  }
  let hopeless: NodeError<'PAYMENT_HOPELESS'> | null = null
  await assertAffordable(view, store, { order, chain, prepared }).catch((error: unknown) => {
    if (!isShared || !isNodeError(error, 'PAYMENT_HOPELESS')) throw error
    hopeless = error
  })
  throwIfAborted(order.signal)
  throwIfAborted(closing)
  const { idempotencyKey: key } = order
  // The chain may have been named otherwise when the key was looked for.
  const named = key === undefined ? [] : paymentsOfKey(store.payments(), key)
  const earlier = paymentOfKey(named, chain, view.core)
  if (earlier !== undefined)
    return { payment: earlier, handle: Promise.resolve(store.handle(earlier.id)), hopeless: null }
  failpoint?.('intent not stored')
  const handle = store.begin(payment).then(() => {
    failpoint?.('intent stored')
    return store.handle(payment.id)
  })
  handle.catch(() => undefined)
  return { payment, handle, hopeless }
}

const oneCoin = ({ network }: ClientCore): bigint => 10n ** BigInt(network.nativeDecimals)

/**
 * A transaction of the sender below which nothing can appear any more: the last one of the newest page, when it is
 * deep enough to stay where it is. Newer ones may change their places in a fork and end up above this payment, and a
 * copy of it below them would be overlooked. Null when it has no such transaction; then all of the history is searched.
 */
async function anchorOf(
  { core, transaction, heightOf, depthOf }: NetworkView,
  { confirmations }: Confirmations,
  { address, signal }: Cancellable & { readonly address: Address },
): Promise<Hash | null> {
  const { records, isLast } = await getTransactions(core, { address, signal })
  const hash = records.at(-1)?.hash.toLowerCase() as Hash | undefined
  if (hash === undefined || isLast) return null
  const found = await transaction(hash)
  const height = found && (await heightOf(found.keyBlockHash))
  if (found === undefined || height === undefined) return null
  const depth = await depthOf({ ...found, height }, confirmations)
  return 'isDeep' in depth && depth.isDeep ? hash : null
}

/**
 * Returns what to tell of payments that the journal does not have. An order whose nonce is derived is the same payment from
 * every journal; the key of another signer promises that nothing is paid twice, which the journal can no longer keep.
 *
 * @throws {NodeError} `JOURNAL_BEHIND`
 */
export function notesOf(
  untracked: Untracked | null,
  { wallet, idempotencyKey }: Order,
): readonly PaymentWarning[] {
  if (untracked === null) return []
  if (idempotencyKey !== undefined && wallet.deriveNonce === undefined)
    throw paymentError('JOURNAL_BEHIND', factsOf(untracked))
  return untracked.newest === null ? [] : [{ kind: 'paidWithoutJournal', ...factsOf(untracked) }]
}

/** People take their time; what they agreed to has to be what the network asks for now. */
function assertSameFees({ id, draft, fee, nativeFee }: Payment, agreed: TokenInfo, token: TokenInfo): void {
  const now = paymentSummary(draft, { id, token, warnings: [], areDecimalsKnown: false })
  if (now.fee !== fee || now.nativeFee !== nativeFee)
    throw paymentError('PAYMENT_ALTERED', { reason: 'its fee has changed since' })
  if (token.decimals !== agreed.decimals)
    throw paymentError('PAYMENT_ALTERED', { reason: 'the decimals of its token have changed since' })
}

/** Signed bytes of a payment. */
export type SignedBytes = { readonly transaction: Transaction; readonly hash: Hash }

export type SignParameters = Pick<BegunPayment, 'hopeless'> & {
  readonly order: Order
  readonly view: NetworkView
  readonly untracked: Untracked | null
}

/**
 * Signs a stored intent. When that fails, the payment is withdrawn: nothing has left, and nothing will.
 *
 * @throws {NodeError} what the signer throws; `PAYMENT_ALTERED`, `SIGNER_FAILED`
 */
export async function signPayment(
  parts: MakePaymentParts,
  { id, draft }: Payment,
  { order, view, untracked, hopeless }: SignParameters,
): Promise<SignedBytes> {
  const { store, failpoint } = parts
  try {
    const transaction = await signedAsAgreed(parts, view.core, draft, order)
    const bytes = { transaction, hash: transactionHash(transaction) }
    assertNotPaid(untracked, order, bytes)
    if (hopeless !== null && !(await isPaid(view, bytes))) throw hopeless
    failpoint?.('signed')
    return bytes
  } catch (error) {
    await store.apply(id, { type: 'withdrawn', reason: 'it was not signed' })
    throw error
  }
}

/**
 * Asserts that none of the payments that the journal does not have looks like an order with a key, apart from the order
 * itself: it may have been paid with another nonce, by a signer that derives none.
 *
 * @throws {NodeError} `JOURNAL_BEHIND`
 */
function assertNotPaid(
  untracked: Untracked | null,
  { idempotencyKey, amount, memo: data }: Order,
  { transaction, hash }: SignedBytes,
): void {
  if (untracked === null || idempotencyKey === undefined) return
  const alike = alikeIn(untracked, { amount, data })
  const own = new Set<string>([hash, ...(alike.length > 0 ? malleatedHashes(transaction) : [])])
  if (alike.length === 0 || alike.some((seen) => own.has(seen.hash.toLowerCase()))) return
  throw paymentError('JOURNAL_BEHIND', factsOf(untracked))
}

/** True if the chain or the pool has a payment, or a copy of it. It is asked several times, of nodes that may be behind. */
async function isPaid(view: NetworkView, { transaction, hash }: SignedBytes): Promise<boolean> {
  const names = [hash, ...malleatedHashes(transaction)]
  for (let round = 0; round < ROUNDS; round++) {
    const pool = await view.pooledBy(transaction.from)
    if (names.some((name) => pool.has(name))) return true
    const found = await Promise.all(names.map((name) => view.transaction(name)))
    if (found.some((one) => one !== undefined)) return true
  }
  return false
}

const factsOf = ({ transactions, newest }: Untracked): UntrackedPayments => ({ transactions, newest })

/**
 * Stores signed bytes. The same bytes can be stored again after an unknown outcome, which no later failure ends.
 *
 * @throws {NodeError} `JOURNAL_WRITE_FAILED`: they are not stored; `TRANSACTION_UNCERTAIN`: after a restart they may be
 *   there, and would be sent
 */
export async function storeBytes(
  { store, failpoint }: Pick<MakePaymentParts, 'store' | 'failpoint'>,
  { id }: Payment,
  { transaction, hash, isAgain }: SignedBytes & { readonly isAgain: boolean },
): Promise<void> {
  try {
    await store.apply(id, { type: 'signed', body: transactionBody(transaction), hash })
  } catch (error) {
    if (!isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
    if (!error.facts.mayBeStored && !isAgain) {
      await store.apply(id, { type: 'withdrawn', reason: 'its bytes could not be stored' })
      throw error
    }
    const { reason } = error.facts
    throw paymentError('TRANSACTION_UNCERTAIN', { hash, transaction, reason }, { cause: error })
  }
  failpoint?.('bytes stored')
}

/**
 * Withdraws a payment that is stored and was not sent, if everybody who asked for it has left meanwhile. When that cannot be
 * stored, it is sent: a restart would send it as well.
 *
 * @throws what the callers left with
 */
export async function withdrawIfLeft(
  { store, closing }: Pick<MakePaymentParts, 'store' | 'closing'>,
  { id }: Payment,
  { signal }: Order,
): Promise<void> {
  const left = [signal, closing].find((one) => one?.aborted)
  if (left === undefined) return
  try {
    await store.apply(id, { type: 'withdrawn', reason: 'nobody waited for it any more' })
  } catch (error) {
    if (isNodeError(error, 'JOURNAL_WRITE_FAILED')) return
    throw error
  }
  throw left.reason
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

import {
  assertArgument,
  isAddress,
  isTransactionSigned,
  looksLikeSignature,
  paymentError,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import { chainIdentity } from '../chain/chain-identity.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { pinnedCore } from '../pinned-core.ts'
import { assertSender, ofDraft, transactionFields } from '../transaction-fields.ts'
import { unlessAborted } from '../transport/on-abort.ts'
import { SIGNING_TIMEOUT_MS, signedInTime } from '../wallet/signed-in-time.ts'
import type { Signer } from '../wallet/signer.ts'
import { findCopy } from './find-copy.ts'
import { namedNativeTokenId } from './get-native-token-id.ts'
import { randomNonce } from './random-nonce.ts'
import { type SentTransaction, sendSignedTransaction } from './send-signed-transaction.ts'

/** A payment that may never leave this machine, or may already be executed. */
export type SignedTransaction = Pick<SentTransaction, 'hash' | 'transaction'>

/** Parameters of {@link sendTransaction}. */
export type SendTransactionParameters = Cancellable & {
  /** A wallet, or another signer: in a worker, on a device. */
  readonly wallet: Pick<Signer, 'address' | 'signTransaction' | 'deriveNonce'>
  /** Address of the receiver: 02 or 03 and 64 hex digits. */
  readonly to: string
  /** Gross units, 1 … 2^64 - 1: the fee is inside. See `grossForNet` for what makes a wished amount arrive. */
  readonly amount: bigint
  /** @default the network's native token */
  readonly tokenId?: string | undefined
  /** Up to 512 of `0-9 a-z A-Z blank _ - / .`, with `takesNewerData` of the client also of `+ =`. @default '' */
  readonly memo?: string | undefined
  /** An encoded contract, instead of a memo. */
  readonly contract?: string | undefined
  /** A salt that makes equal payments distinct, 0 … 2^53-1. @default random, or derived from `idempotencyKey` */
  readonly nonce?: number | undefined
  /**
   * Your own name for this payment on this chain, such as an order number: the wallet derives the nonce from it, so the
   * same payment under the same key is the same bytes, which are executed once. With other details it is another payment,
   * which only the journal of `createPayments` notices. If a copy with another signature waits or was executed, nothing is
   * sent and the answer has the hash of the copy. @default each call is a payment of its own
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Called with the signed transaction before its first byte leaves, and awaited: the place to store it, so
   * that after a crash the same bytes can be sent again. When it fails, nothing is sent.
   */
  readonly onSigned?: ((signed: SignedTransaction) => void | Promise<void>) | undefined
}

/**
 * Signs a payment and sends it. Without `idempotencyKey` each call is a payment of its own: after an error never call it
 * again for the same payment, send the same bytes with `sendSignedTransaction`. `TRANSACTION_UNCERTAIN` carries them.
 *
 * @throws {NodeError} what `sendSignedTransaction` throws, and what is wrong with a parameter:
 *   `ADDRESS_MALFORMED`, `AMOUNT_OUT_OF_RANGE`, `TOKEN_ID_MALFORMED`, `MEMO_MALFORMED`, `NONCE_OUT_OF_RANGE`,
 *   `TRANSACTION_MALFORMED`, `ARGUMENT_INVALID`; of a signer that is no wallet `SIGNER_FAILED` after two minutes and
 *   `PAYMENT_ALTERED` for a signature that is not one of the account over this payment, both before anything is sent
 * @example
 * const { hash } = await sendTransaction(client, { wallet, to, amount: parseAmount('25.5', { decimals: 10 }) })
 * const { status } = await waitForTransaction(client, { hash })
 */
export async function sendTransaction(
  client: ClientCore,
  parameters: SendTransactionParameters,
): Promise<SentTransaction> {
  assertNames('of sendTransaction', parameters, [...ofDraft, 'wallet', 'onSigned', 'idempotencyKey'])
  if (parameters.idempotencyKey === undefined) return sendWith(client, parameters)
  const { wallet, idempotencyKey, nonce, signal } = parameters
  const isKey = typeof idempotencyKey === 'string' && idempotencyKey !== ''
  assertArgument(isKey, 'idempotencyKey', 'a text that is not empty', idempotencyKey)
  assertArgument(nonce === undefined, 'nonce', 'left out beside an idempotencyKey', nonce)
  const expected = 'a wallet, or a signer that derives nonces, for an idempotencyKey'
  assertArgument(typeof wallet?.deriveNonce === 'function', 'wallet', expected, wallet)
  // The chain is that of the node that the bytes are sent to.
  const core = pinnedCore(client)
  const chain = await chainIdentity(core, { signal })
  const limits = { timeoutMs: SIGNING_TIMEOUT_MS, clock: client.clock, signals: [signal] }
  const derive = () => wallet.deriveNonce?.({ chain, idempotencyKey }) ?? Number.NaN
  const derived = await signedInTime(derive, limits)
  return sendWith(core, { ...parameters, nonce: derived })
}

async function sendWith(client: ClientCore, parameters: SendTransactionParameters): Promise<SentTransaction> {
  const { wallet, to, amount, memo, contract, signal, onSigned } = parameters
  const { nonce = randomNonce(client.randomness) } = parameters
  const { takesNewerData, nativeTokenId } = client.network
  const isSigner = isAddress(wallet?.address) && typeof wallet.signTransaction === 'function'
  assertArgument(isSigner, 'wallet', 'a wallet, of createWallet()', wallet)
  const draft = { from: wallet.address, to, amount, memo, contract, nonce, takesNewerData }
  // A wrong parameter is refused before anything is requested.
  transactionFields({
    ...draft,
    tokenId: parameters.tokenId === undefined ? nativeTokenId : parameters.tokenId,
  })
  assertSender(parameters, wallet)
  const { tokenId = await namedNativeTokenId(client, { signal }) } = parameters
  const fields = transactionFields({ ...draft, tokenId })
  const limits = { timeoutMs: SIGNING_TIMEOUT_MS, clock: client.clock, signals: [signal] }
  const signed = await signedInTime(() => wallet.signTransaction({ ...fields }), limits)
  // The signature alone is taken from the signer; everything else is what was asked for.
  const transaction = { ...fields, signature: Object(signed).signature }
  if (!isSigned(transaction))
    throw paymentError('PAYMENT_ALTERED', { reason: 'the signature does not belong to its bytes' })
  await unlessAborted(onSigned?.({ hash: transactionHash(transaction), transaction }), [signal])
  // The same order again: what somebody sent as a copy of it must not be sent beside it.
  const copy =
    parameters.idempotencyKey === undefined ? null : await findCopy(client, { transaction, signal })
  if (copy !== null) return { hash: copy, transaction, status: 'pending' }
  return sendSignedTransaction(client, { transaction, signal })
}

/** True if the signature is one of the sender over this transaction; of a signer it may be any value. */
const isSigned = (transaction: Transaction): boolean =>
  typeof transaction.signature === 'string' &&
  looksLikeSignature(transaction.signature) &&
  isTransactionSigned(transaction)

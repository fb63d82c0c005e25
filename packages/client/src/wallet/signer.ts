import type { Address, Hail, Publication, Transaction, TransactionFields } from '@hailstone/protocol'
import type { DeriveNonce, SignHailParameters, SignPublicationParameters } from './wallet.ts'

/**
 * Whatever can sign for an account: a wallet here, a key in a worker, a device that asks its owner. It signs three
 * kinds of message and builds each text itself; there is nothing that signs bytes. Answers may come later, and a
 * signer may refuse by rejecting.
 */
export type Signer = {
  /** Account that signs. */
  readonly address: Address
  /** Signs a payment: the fields as they are, whose sender is the account. */
  readonly signTransaction: (fields: TransactionFields) => Transaction | Promise<Transaction>
  /** Signs the message that introduces a miner to a gateway. */
  readonly signHail: (parameters: SignHailParameters) => Hail | Promise<Hail>
  /** Signs a microblock that a leader offered. */
  readonly signPublication: (parameters: SignPublicationParameters) => Publication | Promise<Publication>
  /**
   * Derives the nonce of a payment with an idempotency key. Only for signers whose signatures are deterministic.
   *
   * @default payments take random nonces
   */
  readonly deriveNonce?: DeriveNonce | undefined
}

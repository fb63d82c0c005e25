import type {
  Address,
  Hail,
  Hash,
  Publication,
  TokenId,
  Transaction,
  TransactionFields,
} from '@hailstone/protocol'

/** Content of a hail. */
export type SignHailParameters = {
  /** Name or address of the gateway as in its URL, without port. */
  readonly host: string
  /** Token that is mined. */
  readonly tokenId: TokenId
  /** The address of the account that invited us, never its code. */
  readonly referralAgent?: Address | undefined
}

/** Content of a publication. */
export type SignPublicationParameters = {
  /** Microblock that is signed. */
  readonly microblockHash: Hash
  /** Key block that the microblock extends. */
  readonly keyBlockHash: Hash
  /** Token that is mined. */
  readonly tokenId: TokenId
  /** The address of the account that invited us, never its code. @default none */
  readonly referralAgent?: Address | undefined
}

/** An order whose nonce is derived. */
export type DeriveNonceParameters = {
  /** Identity of the chain that the order is for. */
  readonly chain: string
  /** Name of the order, such as its number. */
  readonly idempotencyKey: string
  /** Counts up when another order has the same bytes already. @default 0 */
  readonly attempt?: number | undefined
}

/** Derives the nonce of an order: the same for the same order, and not to be guessed without the key. */
export type DeriveNonce = (parameters: DeriveNonceParameters) => number | Promise<number>

/**
 * An account that can sign. It signs three kinds of message and builds each text itself; there is no way to
 * have it sign bytes of somebody else's choice. The private key lives in a closure: no property, inspection,
 * serialisation or error shows it.
 */
export type Wallet = {
  /** Account of the key, 66 hex digits. */
  readonly address: Address
  /**
   * Code that others enter to name this account as their referral agent. It earns only while this account holds the
   * agent's stake, 1,000 coins as a rule (`getReferrerStake`).
   */
  readonly referralCode: string
  /**
   * Deterministic: the same fields give the same signature, so the same transaction.
   *
   * @throws {NodeError} `TRANSACTION_MALFORMED` when the sender is another account; what is wrong in a field
   */
  readonly signTransaction: (fields: TransactionFields) => Transaction
  /**
   * Derives the nonce of a payment from chain, account and idempotency key, by an HMAC under the private key: the same
   * order is the same bytes on every machine, and nobody can find order numbers in the chain.
   *
   * @returns 0 … 2^53-1
   * @throws {NodeError} `ARGUMENT_INVALID`
   */
  readonly deriveNonce: (parameters: DeriveNonceParameters) => number
  /**
   * Signs the message that introduces a miner to a gateway.
   *
   * @throws {NodeError} `URL_REFUSED` for an invalid host, `TOKEN_ID_MALFORMED`, `ADDRESS_MALFORMED`
   */
  readonly signHail: (parameters: SignHailParameters) => Hail
  /**
   * Signs a microblock that a leader offered.
   *
   * @throws {NodeError} `HASH_MALFORMED`, `TOKEN_ID_MALFORMED`, `ADDRESS_MALFORMED`
   */
  readonly signPublication: (parameters: SignPublicationParameters) => Publication
  /** The secret itself, 64 hex digits. Whoever has it has the account. */
  readonly exportPrivateKey: () => string
}

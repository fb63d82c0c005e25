import type {
  Address,
  Hail,
  Hash,
  Publication,
  TokenId,
  Transaction,
  TransactionFields,
} from '@hailstone/protocol'

export type SignHailParameters = {
  /** Name or address of the gateway as in its URL, without port. */
  readonly host: string
  readonly tokenId: TokenId
  /** The address of the account that invited us, never its code. */
  readonly referralAgent?: Address | undefined
}

export type SignPublicationParameters = {
  readonly microblockHash: Hash
  readonly keyBlockHash: Hash
  readonly tokenId: TokenId
  readonly referralAgent?: Address | undefined
}

/**
 * An account that can sign. It signs three kinds of message and builds each text itself; there is no way to
 * have it sign bytes of somebody else's choice. The private key lives in a closure: no property, inspection,
 * serialisation or error shows it.
 */
export type Wallet = {
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
  /** @throws {NodeError} `URL_REFUSED` for an invalid host, `TOKEN_ID_MALFORMED`, `ADDRESS_MALFORMED` */
  readonly signHail: (parameters: SignHailParameters) => Hail
  /** @throws {NodeError} `HASH_MALFORMED`, `TOKEN_ID_MALFORMED`, `ADDRESS_MALFORMED` */
  readonly signPublication: (parameters: SignPublicationParameters) => Publication
  /** The secret itself, 64 hex digits. Whoever has it has the account. */
  readonly exportPrivateKey: () => string
}

import type { Transaction } from '../transaction-fields.ts'

/** The process that holds a lock, as far as known. */
export type LockHolderFacts = {
  /** Process id in its own PID namespace. */
  readonly processId: number | null
  /** Name of its machine or container. */
  readonly host?: string | null | undefined
  /**
   * - `here`: a process of this machine with this id.
   * - `elsewhere`: a process in another container of this machine.
   * - `unknown`: cannot be determined from here; the lock counts as held until `lock` is removed by hand.
   *
   * @default 'here'
   */
  readonly place?: 'here' | 'elsewhere' | 'unknown' | undefined
  /** Folder that represents the lock. */
  readonly lock?: string | undefined
}

/**
 * Every error that the packages throw on purpose: a stable code, typed facts, one sentence for people. Codes are only
 * added: never renamed, reused or removed.
 */
export type ErrorFacts = {
  ADDRESS_MALFORMED: { readonly text: string }
  TOKEN_ID_MALFORMED: { readonly text: string }
  HASH_MALFORMED: { readonly text: string }
  SIGNATURE_MALFORMED: { readonly reason: string }
  PRIVATE_KEY_MALFORMED: { readonly reason: string }
  REFERRAL_CODE_INVALID: { readonly reason: string }
  AMOUNT_MALFORMED: { readonly text: string; readonly reason: string }
  AMOUNT_TOO_PRECISE: { readonly text: string; readonly decimals: number }
  AMOUNT_OUT_OF_RANGE: { readonly text: string }
  NONCE_OUT_OF_RANGE: { readonly text: string }
  JSON_MALFORMED: { readonly reason: string }
  JSON_TOO_LARGE: { readonly sizeBytes: number; readonly limitBytes: number }
  CONTRACT_MALFORMED: { readonly reason: string }
  MESSAGE_MALFORMED: { readonly reason: string }
  BEACON_REFUSED: { readonly reason: string; readonly microblockHash: string | null }
  TRANSACTION_MALFORMED: { readonly reason: string }
  MEMO_MALFORMED: { readonly reason: string }
  RESPONSE_INVALID: { readonly path: string; readonly reason: string }
  RESPONSE_TOO_LARGE: { readonly path: string; readonly limitBytes: number }
  /** `asked`: complete address with its arguments, if known. */
  HTTP_STATUS: {
    readonly path: string
    readonly status: number
    readonly message: string | null
    readonly asked?: string
    readonly hint?: string
  }
  REQUEST_TIMEOUT: { readonly path: string; readonly timeoutMs: number; readonly asked?: string }
  REQUEST_FAILED: { readonly path: string; readonly reason: string; readonly asked?: string }
  URL_REFUSED: { readonly url: string; readonly reason: string }
  TRANSACTION_REFUSED: { readonly message: string; readonly hash: string }
  TRANSACTION_HASH_DIFFERS: { readonly expected: string; readonly received: string }
  TRANSACTION_TIMEOUT: {
    readonly hash: string
    readonly waitedMs: number
    readonly isPending: boolean | null
  }
  TOKEN_UNKNOWN: { readonly tokenId: string }
  /** Decimals of a token, 0 to 10: as known beforehand, and as the API says. */
  DECIMALS_DIFFER: {
    readonly tokenId: string
    readonly expected: number
    readonly received: number
  }
  HEIGHT_UNAVAILABLE: { readonly height: number }
  CHAIN_INCONSISTENT: { readonly height: number; readonly reason: string }
  NETWORK_MISMATCH: { readonly expected: string; readonly received: string }
  /** `value` is the answer as JSON; `height` is null if the node advanced during the request. */
  NODES_DISAGREE: {
    readonly path: string
    readonly quorum: number
    readonly answers: readonly {
      readonly source: string
      readonly height: number | null
      readonly value: string
    }[]
  }
  SOCKET_FAILED: { readonly url: string; readonly reason: string }
  ARGUMENT_INVALID: { readonly parameter: string; readonly expected: string; readonly found: string }
  CONFIGURATION_INVALID: { readonly path: string; readonly expected: string; readonly found: string }
  RANDOMNESS_REFUSED: { readonly reason: string }
  /** `transaction` is signed: only exactly these bytes may be sent again. */
  TRANSACTION_UNCERTAIN: { readonly hash: string; readonly transaction: Transaction; readonly reason: string }
  STORE_LOCKED: { readonly folder: string } & LockHolderFacts
  STORE_INVALID: { readonly reason: string }
  PORT_IN_USE: { readonly host: string; readonly port: number }
  LEADER_SIGNING_REFUSED: { readonly reason: string }
  JOURNAL_LOCKED: { readonly path: string } & LockHolderFacts
  /** Nothing was written to the file. */
  JOURNAL_INVALID: { readonly path: string; readonly reason: string }
  JOURNAL_DAMAGED: { readonly damagedRecords: number }
  /** `transactions` is a lower bound. With 0 and null it is not known whether there are any. */
  JOURNAL_BEHIND: { readonly transactions: number; readonly newest: string | null }
  /** `mayBeStored`: after this disk failure the record may or may not be there after a restart. */
  /** `path`: of its file, where it is one. */
  JOURNAL_WRITE_FAILED: { readonly reason: string; readonly mayBeStored: boolean; readonly path?: string }
  /** In units of the transferred token, or of the native one. */
  FEE_ABOVE_CAP: {
    readonly fee: bigint
    readonly limit: bigint
    readonly token?: { readonly symbol: string; readonly decimals: number } | undefined
  }
  PAYMENT_DECLINED: { readonly reason: string }
  PAYMENT_ALTERED: { readonly reason: string }
  PAYMENT_CONFLICT: { readonly idempotencyKey: string }
  PAYMENT_HOPELESS: { readonly reason: string }
  PAYMENTS_CLOSED: { readonly hash: string | null }
  /** An error code of a gateway without a specific meaning here. */
  GATEWAY_ERROR: { readonly code: string }
  NATIVE_TOKEN_UNKNOWN: { readonly reason: string }
  LISTENER_FAILED: { readonly event: string; readonly reason: string }
  /** A store that the program passed did not read or write a cursor. */
  CURSOR_STORE_FAILED: { readonly name: string; readonly reason: string }
  CONTROL_REFUSED: { readonly reason: string }
  /** A contract that is on the chain and had no effect. */
  ORDER_REJECTED: { readonly hash: string; readonly reason: string }
  KEYSTORE_MALFORMED: { readonly reason: string }
  KEYSTORE_VERSION_UNKNOWN: { readonly version: number; readonly newestKnown: number }
  /** Too weak to protect a key, or so expensive that opening it would be an attack on this machine. */
  KEYSTORE_PARAMETER_REFUSED: {
    readonly parameter: string
    readonly minimum: number
    readonly maximum: number
    readonly found: number
  }
  /** A wrong password and an altered file are indistinguishable. */
  KEYSTORE_UNLOCK_FAILED: { readonly address: string }
  KEYSTORE_ADDRESS_DIFFERS: { readonly stated: string; readonly found: string }
  KEYSTORE_MISSING: { readonly place: string }
  /** `address` is null if the content of `place` cannot be read as a key. */
  KEYSTORE_EXISTS: { readonly place: string; readonly address: string | null }
  KEYSTORE_PERMISSIONS: { readonly path: string; readonly mode: string }
  KEYSTORE_LOCKED: { readonly path: string } & LockHolderFacts
  KEYSTORE_WRITE_FAILED: { readonly place: string; readonly reason: string }
  VAULT_UNAVAILABLE: { readonly reason: string }
  PASSWORD_REFUSED: { readonly minimumLength: number }
  MNEMONIC_COUNT: { readonly count: number }
  /** `position` counts from 1. The word is part of a secret and not included. */
  MNEMONIC_WORD: { readonly position: number }
  MNEMONIC_CHECKSUM: { readonly count: number }
  SIGNER_FAILED: { readonly reason: string }
  KEY_IN_USE: { readonly address: string } & LockHolderFacts
  /** Never contains the password of the database. */
  STORE_UNREACHABLE: { readonly reason: string }
  /** Words of the database. */
  STORE_FULL: { readonly reason: string }
  /** The setting of the database because of which commits wait for no standby. */
  STORE_NOT_REPLICATED: { readonly reason: string }
  /** Of several processes with one database, one leads. */
  LEADERSHIP_LOST: { readonly term: number }
  EVENT_TIMEOUT: { readonly event: string; readonly timeoutMs: number }
  EVENTS_DROPPED: { readonly limit: number }
}

/** A code of an error. Each has a page in the documentation. */
export type ErrorCode = keyof ErrorFacts

/** Thrown through {@link keystoreError}. */
export type KeystoreErrorCode = Extract<
  ErrorCode,
  | `KEYSTORE_${string}`
  | `MNEMONIC_${string}`
  | 'VAULT_UNAVAILABLE'
  | 'PASSWORD_REFUSED'
  | 'SIGNER_FAILED'
  | 'KEY_IN_USE'
>

/** Thrown through {@link paymentError}. */
export type PaymentErrorCode = Extract<
  ErrorCode,
  | `JOURNAL_${string}`
  | `PAYMENT_${string}`
  | 'PAYMENTS_CLOSED'
  | 'FEE_ABOVE_CAP'
  | 'ORDER_REJECTED'
  | 'TRANSACTION_REFUSED'
  | 'TRANSACTION_HASH_DIFFERS'
  | 'TRANSACTION_TIMEOUT'
  | 'TRANSACTION_UNCERTAIN'
>

/** Thrown through {@link hostError}. */
export type HostErrorCode = Extract<
  ErrorCode,
  | 'STORE_LOCKED'
  | 'STORE_INVALID'
  | 'PORT_IN_USE'
  | 'CONTROL_REFUSED'
  | 'STORE_UNREACHABLE'
  | 'STORE_FULL'
  | 'STORE_NOT_REPLICATED'
  | 'LEADERSHIP_LOST'
  | 'LEADER_SIGNING_REFUSED'
  | 'SOCKET_FAILED'
>

/** Thrown through {@link apiError}. */
export type ApiErrorCode = Extract<
  ErrorCode,
  | 'RESPONSE_INVALID'
  | 'RESPONSE_TOO_LARGE'
  | 'HTTP_STATUS'
  | 'REQUEST_TIMEOUT'
  | 'REQUEST_FAILED'
  | 'HEIGHT_UNAVAILABLE'
  | 'CHAIN_INCONSISTENT'
  | 'NETWORK_MISMATCH'
  | 'TOKEN_UNKNOWN'
  | 'DECIMALS_DIFFER'
>

/** Thrown through {@link reportError}. */
export type ReportErrorCode = Extract<
  ErrorCode,
  'MESSAGE_MALFORMED' | 'GATEWAY_ERROR' | 'NATIVE_TOKEN_UNKNOWN' | 'LISTENER_FAILED'
>

/** Thrown through {@link textError}. */
export type TextErrorCode = Extract<
  ErrorCode,
  'SIGNATURE_MALFORMED' | 'AMOUNT_MALFORMED' | 'AMOUNT_TOO_PRECISE' | 'CONTRACT_MALFORMED' | 'BEACON_REFUSED'
>

/** Thrown through {@link assertArgument}. */
export type ArgumentErrorCode = Extract<ErrorCode, 'ARGUMENT_INVALID'>

/** Thrown through {@link cursorError}. */
export type CursorErrorCode = Extract<ErrorCode, 'CURSOR_STORE_FAILED'>

/** Thrown through {@link quorumError}. */
export type QuorumErrorCode = Extract<ErrorCode, 'NODES_DISAGREE'>

/** Thrown through {@link eventError}. */
export type EventErrorCode = Extract<ErrorCode, 'EVENT_TIMEOUT' | 'EVENTS_DROPPED'>

/** Codes whose sentences {@link NodeError} itself contains. */
export type CoreErrorCode = Exclude<
  ErrorCode,
  | KeystoreErrorCode
  | PaymentErrorCode
  | HostErrorCode
  | ApiErrorCode
  | ReportErrorCode
  | TextErrorCode
  | QuorumErrorCode
  | ArgumentErrorCode
  | EventErrorCode
  | CursorErrorCode
>

/** One sentence for people per code. */
export type Sentences<C extends ErrorCode> = { readonly [K in C]: (facts: ErrorFacts[K]) => string }

/** Any value as a text. An object's own way of becoming one may throw, or say something else. */
export const written = (value: unknown): string =>
  Object(value) === value ? `a value of type ${typeof value}` : String(value)

export const shown = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text)

export const sentences: Sentences<CoreErrorCode> = {
  ADDRESS_MALFORMED: ({ text }) => `An address is 02 or 03 and 64 hex digits; got ${shown(text)}.`,
  TOKEN_ID_MALFORMED: ({ text }) => `A token id is 64 lower-case hex digits; got ${shown(text)}.`,
  HASH_MALFORMED: ({ text }) => `A hash is 64 hex digits; got ${shown(text)}.`,
  PRIVATE_KEY_MALFORMED: ({ reason }) => `The private key is not valid: ${reason}.`,
  REFERRAL_CODE_INVALID: ({ reason }) => `The referral code is not valid: ${reason}.`,
  AMOUNT_OUT_OF_RANGE: ({ text }) => {
    const range = '0 to 18446744073709551615 units'
    // What is within the range was no bigint, so a program passed it; the rest may have been entered by a person.
    const isNumber = /^-|\d{20}/.test(text)
    return `An amount is ${isNumber ? range : `a bigint of ${range}, such as 25n or parseAmount('25', token)`}; got ${shown(text)}.`
  },
  NONCE_OUT_OF_RANGE: ({ text }) => `A nonce is 0 to 9007199254740991; got ${shown(text)}.`,
  JSON_MALFORMED: ({ reason }) => `The text is not JSON: ${reason}.`,
  JSON_TOO_LARGE: ({ sizeBytes, limitBytes }) =>
    `The text has ${sizeBytes} bytes; at most ${limitBytes} are read.`,
  TRANSACTION_MALFORMED: ({ reason }) => `The transaction is not valid: ${reason}.`,
  MEMO_MALFORMED: ({ reason }) => `The memo is not valid: ${reason}.`,
  URL_REFUSED: ({ url, reason }) => `The address ${shown(url)} is not used: ${reason}.`,
  CONFIGURATION_INVALID: ({ path, expected, found }) =>
    `The setting "${path}" should be ${expected}; found ${found}.`,
  RANDOMNESS_REFUSED: ({ reason }) => `No key was made: ${reason}.`,
}

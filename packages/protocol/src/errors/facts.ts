import type { Transaction } from '../transaction.ts'

/**
 * Every failure the packages raise on purpose: a stable code, typed facts, one sentence for people.
 * Codes are only ever added: never renamed, reused or removed.
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
  JSON_MALFORMED: { readonly reason: string; readonly offset: number }
  JSON_TOO_LARGE: { readonly sizeBytes: number; readonly limitBytes: number }
  CONTRACT_MALFORMED: { readonly reason: string }
  MESSAGE_MALFORMED: { readonly reason: string }
  BEACON_REFUSED: { readonly reason: string; readonly microblockHash: string | null }
  TRANSACTION_MALFORMED: { readonly reason: string }
  MEMO_MALFORMED: { readonly reason: string }
  RESPONSE_INVALID: { readonly path: string; readonly reason: string }
  RESPONSE_TOO_LARGE: { readonly path: string; readonly limitBytes: number }
  HTTP_STATUS: { readonly path: string; readonly status: number; readonly message: string | null }
  REQUEST_TIMEOUT: { readonly path: string; readonly timeoutMs: number }
  REQUEST_FAILED: { readonly path: string; readonly reason: string }
  URL_REFUSED: { readonly url: string; readonly reason: string }
  TRANSACTION_REFUSED: { readonly message: string; readonly hash: string }
  TRANSACTION_HASH_DIFFERS: { readonly expected: string; readonly received: string }
  TRANSACTION_TIMEOUT: {
    readonly hash: string
    readonly waitedMs: number
    readonly isPending: boolean | null
  }
  TOKEN_UNKNOWN: { readonly tokenId: string }
  HEIGHT_UNAVAILABLE: { readonly height: number }
  CHAIN_INCONSISTENT: { readonly height: number; readonly reason: string }
  NETWORK_MISMATCH: { readonly expected: string; readonly received: string }
  SOCKET_FAILED: { readonly url: string; readonly reason: string }
  CONFIGURATION_INVALID: { readonly path: string; readonly expected: string; readonly found: string }
  RANDOMNESS_REFUSED: { readonly reason: string }
  /** Holds the signed transaction: only these very bytes may be sent again. */
  TRANSACTION_UNCERTAIN: { readonly hash: string; readonly transaction: Transaction; readonly reason: string }
  STORE_LOCKED: { readonly folder: string; readonly processId: number }
  STORE_INVALID: { readonly reason: string }
  PORT_IN_USE: { readonly host: string; readonly port: number }
  LEADER_SIGNING_REFUSED: { readonly reason: string }
  JOURNAL_LOCKED: { readonly path: string; readonly processId: number | null }
  /** Nothing was written to it. */
  JOURNAL_INVALID: { readonly path: string; readonly reason: string }
  JOURNAL_DAMAGED: { readonly damagedRecords: number }
  /** `mayBeStored`: the disk failed in a way that leaves open whether the record is there after a restart. */
  JOURNAL_WRITE_FAILED: { readonly reason: string; readonly mayBeStored: boolean }
  /** Units of the transferred token, or of the native one. */
  FEE_ABOVE_CAP: { readonly fee: bigint; readonly limit: bigint }
  PAYMENT_DECLINED: { readonly reason: string }
  PAYMENT_ALTERED: { readonly reason: string }
  PAYMENT_CONFLICT: { readonly idempotencyKey: string }
  PAYMENT_HOPELESS: { readonly reason: string }
  PAYMENTS_CLOSED: { readonly hash: string | null }
  /** An error text that is none of the two with a meaning of their own. */
  GATEWAY_ERROR: { readonly code: string }
  LISTENER_FAILED: { readonly event: string; readonly reason: string }
  CONTROL_REFUSED: { readonly reason: string }
}

export type ErrorCode = keyof ErrorFacts

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text)

export const sentences: { readonly [C in ErrorCode]: (facts: ErrorFacts[C]) => string } = {
  ADDRESS_MALFORMED: ({ text }) =>
    `An address is 66 hex characters that begin with 02 or 03; got ${shown(text)}.`,
  TOKEN_ID_MALFORMED: ({ text }) => `A token id is 64 lower-case hex characters; got ${shown(text)}.`,
  HASH_MALFORMED: ({ text }) => `A hash is 64 hex characters; got ${shown(text)}.`,
  SIGNATURE_MALFORMED: ({ reason }) => `The signature is not minimal DER: ${reason}.`,
  PRIVATE_KEY_MALFORMED: ({ reason }) => `This is not a private key: ${reason}.`,
  REFERRAL_CODE_INVALID: ({ reason }) => `This referral code is not valid: ${reason}.`,
  AMOUNT_MALFORMED: ({ text, reason }) => `${shown(text)} is not an amount: ${reason}.`,
  AMOUNT_TOO_PRECISE: ({ text, decimals }) =>
    `${shown(text)} is finer than the token, which has ${decimals} decimals.`,
  AMOUNT_OUT_OF_RANGE: ({ text }) => `An amount is at most 18446744073709551615 units; got ${shown(text)}.`,
  NONCE_OUT_OF_RANGE: ({ text }) => `A nonce is an integer from 0 to 9007199254740991; got ${shown(text)}.`,
  JSON_MALFORMED: ({ reason, offset }) => `The text is not JSON: ${reason} at character ${offset}.`,
  JSON_TOO_LARGE: ({ sizeBytes, limitBytes }) =>
    `The JSON text has ${sizeBytes} bytes; at most ${limitBytes} are read.`,
  CONTRACT_MALFORMED: ({ reason }) => `The contract data cannot be read: ${reason}.`,
  MESSAGE_MALFORMED: ({ reason }) => `The gateway message cannot be read: ${reason}.`,
  BEACON_REFUSED: ({ reason }) => `The beacon was not signed: ${reason}.`,
  TRANSACTION_MALFORMED: ({ reason }) => `The transaction is not well formed: ${reason}.`,
  MEMO_MALFORMED: ({ reason }) =>
    `The memo cannot be sent: ${reason}. Allowed are up to 512 of 0-9 a-z A-Z blank _ - / and the full stop.`,
  RESPONSE_INVALID: ({ path, reason }) => `The answer to ${path} is not what the protocol says: ${reason}.`,
  RESPONSE_TOO_LARGE: ({ path, limitBytes }) =>
    `The answer to ${path} is longer than the ${limitBytes} bytes that are read.`,
  HTTP_STATUS: ({ path, status, message }) =>
    `The network answered ${status} to ${path}${message === null ? '' : `: ${message}`}.`,
  REQUEST_TIMEOUT: ({ path, timeoutMs }) => `The network did not answer ${path} within ${timeoutMs} ms.`,
  REQUEST_FAILED: ({ path, reason }) => `The network could not be asked for ${path}: ${reason}.`,
  URL_REFUSED: ({ url, reason }) => `The address ${shown(url)} is not used: ${reason}.`,
  TRANSACTION_REFUSED: ({ message }) => `The network refused the transaction: ${message}.`,
  TRANSACTION_HASH_DIFFERS: ({ expected, received }) =>
    `The network names the transaction ${received}, but its bytes hash to ${expected}; it may still be executed.`,
  TRANSACTION_TIMEOUT: ({ hash, waitedMs, isPending }) =>
    `Transaction ${hash} has no final status after ${waitedMs} ms${
      isPending === true ? '; it still waits in the pool' : ''
    }. Ask again; do not sign a new one.`,
  TOKEN_UNKNOWN: ({ tokenId }) => `The network knows no token ${tokenId}.`,
  HEIGHT_UNAVAILABLE: ({ height }) => `The network has no calculated macroblock at height ${height} yet.`,
  CHAIN_INCONSISTENT: ({ height, reason }) =>
    `The chain does not fit together at height ${height}: ${reason}.`,
  NETWORK_MISMATCH: ({ expected, received }) =>
    `This is another network: expected ${shown(expected)}, found ${shown(received)}.`,
  SOCKET_FAILED: ({ url, reason }) => `The gateway ${url} cannot be reached: ${reason}.`,
  CONFIGURATION_INVALID: ({ path, expected, found }) =>
    `The setting ${path} should be ${expected}; found ${found}.`,
  RANDOMNESS_REFUSED: ({ reason }) => `No key was made: ${reason}.`,
  TRANSACTION_UNCERTAIN: ({ hash, reason }) =>
    `It is not known whether transaction ${hash} arrived: ${reason}. Send the same bytes again; do not sign new ones.`,
  STORE_LOCKED: ({ folder, processId }) =>
    `The data folder ${shown(folder)} is in use by process ${processId}. Stop it, or choose another folder.`,
  STORE_INVALID: ({ reason }) => `The stored chain cannot be used: ${reason}.`,
  PORT_IN_USE: ({ host, port }) => `Port ${port} of ${host} is in use by another program.`,
  LEADER_SIGNING_REFUSED: ({ reason }) => `The leader's signature was not made: ${reason}.`,
  JOURNAL_LOCKED: ({ path, processId }) =>
    `The payment journal ${shown(path)} is in use by ${
      processId === null ? 'another page' : `process ${processId}`
    }. Only one may pay at a time.`,
  JOURNAL_INVALID: ({ path, reason }) => `The payment journal ${shown(path)} cannot be used: ${reason}.`,
  JOURNAL_DAMAGED: ({ damagedRecords }) =>
    `Records of the payment journal cannot be read (${damagedRecords}); what they paid is not known. Look at the account's history, then accept the damage.`,
  JOURNAL_WRITE_FAILED: ({ reason }) => `The payment journal cannot be written: ${reason}.`,
  FEE_ABOVE_CAP: ({ fee, limit }) =>
    `The network asks for a fee of ${fee} units; at most ${limit} are accepted. Nothing was signed.`,
  PAYMENT_DECLINED: ({ reason }) => `The payment was not made: ${reason}.`,
  PAYMENT_ALTERED: ({ reason }) =>
    `The payment is not the one that was agreed to: ${reason}. Nothing was sent.`,
  PAYMENT_CONFLICT: ({ idempotencyKey }) => `The key ${shown(idempotencyKey)} already names another payment.`,
  PAYMENT_HOPELESS: ({ reason }) => `The payment would be rejected: ${reason}. Nothing was signed.`,
  PAYMENTS_CLOSED: ({ hash }) =>
    `The payments were closed while ${hash === null ? 'one' : `transaction ${hash}`} was not settled; it goes on when they are resumed.`,
  GATEWAY_ERROR: ({ code }) => `The gateway reports an error: ${shown(code)}.`,
  LISTENER_FAILED: ({ event, reason }) => `A listener of ${shown(event)} threw: ${reason}.`,
  CONTROL_REFUSED: ({ reason }) => `The network was left as it is: ${reason}.`,
}

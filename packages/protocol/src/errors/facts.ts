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
  /** A contract that stands on chain and did nothing. */
  ORDER_REJECTED: { readonly hash: string; readonly reason: string }
  KEYSTORE_MALFORMED: { readonly reason: string }
  KEYSTORE_VERSION_UNKNOWN: { readonly version: number; readonly newestKnown: number }
  /** Too weak to protect a key, or so costly that opening it would be an attack on this machine. */
  KEYSTORE_PARAMETER_REFUSED: {
    readonly parameter: string
    readonly minimum: number
    readonly maximum: number
    readonly found: number
  }
  /** The same for a wrong password and for a file that was changed: nobody can tell them apart. */
  KEYSTORE_UNLOCK_FAILED: { readonly address: string }
  KEYSTORE_ADDRESS_DIFFERS: { readonly stated: string; readonly found: string }
  KEYSTORE_MISSING: { readonly place: string }
  KEYSTORE_EXISTS: { readonly place: string; readonly address: string }
  KEYSTORE_PERMISSIONS: { readonly path: string; readonly mode: string }
  KEYSTORE_LOCKED: { readonly path: string; readonly processId: number | null }
  KEYSTORE_WRITE_FAILED: { readonly place: string; readonly reason: string }
  VAULT_UNAVAILABLE: { readonly reason: string }
  PASSWORD_REFUSED: { readonly minimumLength: number }
  MNEMONIC_COUNT: { readonly count: number }
  /** `position` counts from 1. The word itself is part of a secret and is not repeated. */
  MNEMONIC_WORD: { readonly position: number }
  MNEMONIC_CHECKSUM: { readonly count: number }
  SIGNER_FAILED: { readonly reason: string }
  KEY_IN_USE: { readonly address: string; readonly processId: number }
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
  ORDER_REJECTED: ({ hash, reason }) =>
    `The network rejected transaction ${hash}: ${reason}. Nothing was charged.`,
  CONTROL_REFUSED: ({ reason }) => `The network was left as it is: ${reason}.`,
  KEYSTORE_MALFORMED: ({ reason }) => `This is not a keystore that can be read: ${reason}.`,
  KEYSTORE_VERSION_UNKNOWN: ({ version, newestKnown }) =>
    `The keystore has version ${version}; this program knows versions up to ${newestKnown}. Use a newer program; nothing was changed.`,
  KEYSTORE_PARAMETER_REFUSED: ({ parameter, minimum, maximum, found }) =>
    `The keystore's ${parameter} is ${found}; only ${minimum} to ${maximum} is used.`,
  KEYSTORE_UNLOCK_FAILED: ({ address }) =>
    `The keystore of ${address} was not opened: the password is wrong, or the keystore was changed.`,
  KEYSTORE_ADDRESS_DIFFERS: ({ stated, found }) =>
    `The keystore says it holds ${stated}, but its key is the one of ${found}. It is not used.`,
  KEYSTORE_MISSING: ({ place }) => `There is no keystore at ${shown(place)}.`,
  KEYSTORE_EXISTS: ({ place, address }) =>
    `${shown(place)} already holds the key of ${address}, and a key is never overwritten. Choose another place.`,
  KEYSTORE_PERMISSIONS: ({ path, mode }) =>
    `Others may read ${shown(path)} (mode ${mode}). Run: chmod 600 on it, and take its key as known to them.`,
  KEYSTORE_LOCKED: ({ path, processId }) =>
    `The keystore ${shown(path)} is being written by ${
      processId === null ? 'another program' : `process ${processId}`
    }. Try again in a moment.`,
  KEYSTORE_WRITE_FAILED: ({ place, reason }) =>
    `The keystore ${shown(place)} could not be written: ${reason}. What was there before is still there.`,
  VAULT_UNAVAILABLE: ({ reason }) => `This browser keeps no keys here: ${reason}.`,
  PASSWORD_REFUSED: ({ minimumLength }) => `A password has at least ${minimumLength} characters.`,
  MNEMONIC_COUNT: ({ count }) => `A recovery phrase has 12 or 24 words; this one has ${count}.`,
  MNEMONIC_WORD: ({ position }) => `Word ${position} of the recovery phrase is not in the word list.`,
  MNEMONIC_CHECKSUM: () =>
    'The words of the recovery phrase do not belong together: one is wrong, or two are exchanged.',
  SIGNER_FAILED: ({ reason }) => `The signer did not answer: ${reason}. Nothing was signed.`,
  KEY_IN_USE: ({ address, processId }) =>
    `Process ${processId} on this machine already mines with the key of ${address}.`,
}

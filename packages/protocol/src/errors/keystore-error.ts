import { type ErrorFacts, type KeystoreErrorCode, type Sentences, shown } from './facts.ts'
import { lockAdvice, lockHolderText } from './lock-holder-text.ts'
import { NodeError } from './node-error.ts'

export const keystoreSentences: Sentences<KeystoreErrorCode> = {
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
    address === null
      ? `${shown(place)} exists, and a file that may hold a key is never overwritten. Choose another place.`
      : `${shown(place)} already holds the key of ${address}, and a key is never overwritten. Choose another place.`,
  KEYSTORE_PERMISSIONS: ({ path, mode }) =>
    `Others may read ${shown(path)} (mode ${mode}). Run: chmod 600 on it, and take its key as known to them.`,
  KEYSTORE_LOCKED: (facts) =>
    `The keystore ${shown(facts.path)} is being written by ${lockHolderText(facts)}. Try again in a moment.${lockAdvice(facts)}`,
  KEYSTORE_WRITE_FAILED: ({ place, reason }) =>
    `The keystore ${shown(place)} could not be written: ${reason}. What was there before is still there.`,
  VAULT_UNAVAILABLE: ({ reason }) => `This browser keeps no keys here: ${reason}.`,
  PASSWORD_REFUSED: ({ minimumLength }) => `A password has at least ${minimumLength} characters.`,
  MNEMONIC_COUNT: ({ count }) => `A recovery phrase has 12 or 24 words; this one has ${count}.`,
  MNEMONIC_WORD: ({ position }) => `Word ${position} of the recovery phrase is not in the word list.`,
  MNEMONIC_CHECKSUM: () =>
    'The words of the recovery phrase do not belong together: one is wrong, or two are exchanged.',
  SIGNER_FAILED: ({ reason }) => `The signer did not answer: ${reason}. Nothing was signed.`,
  KEY_IN_USE: (facts) =>
    `The key of ${facts.address} is in use: ${lockHolderText(facts)} already mines with it.${lockAdvice(facts)}`,
}

/** Creates an error of keys, keystores and phrases. Pages without a keystore do not contain the sentences. */
export function keystoreError<C extends KeystoreErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<KeystoreErrorCode>(code, facts, options, keystoreSentences) as NodeError<C>
}

import type { KeystoreErrorCode } from '../../errors/facts.ts'
import type { ErrorExplanations } from './error-explanation.ts'

/** Codes of keys, keystores, recovery phrases and signers. */
export const keystoreExplanations: ErrorExplanations<KeystoreErrorCode> = {
  KEYSTORE_MALFORMED: {
    title: 'Not a keystore that can be read',
    hint: 'Take the file from a backup; facts.reason says what is wrong with this one.',
    causes: [
      {
        cause: 'The file is cut off, empty or changed: its checksum is wrong or it is not complete.',
        fix: 'Restore it from a backup, or make the wallet again from the recovery phrase.',
      },
      {
        cause: 'It is another kind of file, such as a keystore of another network.',
        fix: 'Export the private key there and import it.',
      },
      {
        cause: 'The path is a folder, or the file is longer than a keystore can be.',
        fix: 'Check the path.',
      },
    ],
    related: ['KEYSTORE_VERSION_UNKNOWN', 'PRIVATE_KEY_MALFORMED'],
  },
  KEYSTORE_VERSION_UNKNOWN: {
    title: 'The keystore is newer than this program',
    hint: 'Update the program; the keystore was not changed.',
    causes: [
      { cause: 'A newer version of the package wrote it.', fix: 'Update to that version or a later one.' },
    ],
    related: ['KEYSTORE_MALFORMED'],
  },
  KEYSTORE_PARAMETER_REFUSED: {
    title: 'The key derivation is too weak or too expensive',
    hint: 'Use a keystore whose parameters are between facts.minimum and facts.maximum.',
    causes: [
      {
        cause:
          'encryptWallet was given parameters below the minimum, under which a stolen file can be guessed.',
        fix: 'Leave the parameters away: the defaults take about half a second.',
      },
      {
        cause: 'A file asks for so much memory or time that opening it would stop this machine.',
        fix: 'Do not open it. It was not made by this package.',
      },
    ],
    related: ['KEYSTORE_MALFORMED'],
  },
  KEYSTORE_UNLOCK_FAILED: {
    title: 'The password is wrong',
    hint: 'Try the password again; a changed file looks the same as a wrong password.',
    causes: [
      { cause: 'The password is wrong. Blanks and capital letters count.', fix: 'Type it again.' },
      {
        cause: 'A file with the password ends with more than one line end.',
        fix: 'Write the password alone into it.',
      },
      { cause: 'The keystore was altered.', fix: 'Restore it from a backup.' },
    ],
    related: ['PASSWORD_REFUSED', 'KEYSTORE_MALFORMED'],
  },
  KEYSTORE_ADDRESS_DIFFERS: {
    title: 'The keystore holds another key than it says',
    hint: 'Do not pay anything to the address that the keystore states.',
    causes: [
      {
        cause: 'The address in the file was exchanged, or keystores were mixed up.',
        fix: 'Restore the file from a backup.',
      },
    ],
    related: ['KEYSTORE_UNLOCK_FAILED'],
  },
  KEYSTORE_MISSING: {
    title: 'No keystore at this place',
    hint: 'Check the path or the address; make a keystore first.',
    causes: [
      { cause: 'The path is misspelt, or relative to another folder.', fix: 'Pass an absolute path.' },
      {
        cause: 'In a browser the site data was cleared, or the page runs at another origin.',
        fix: 'Import the key from its backup.',
      },
    ],
    related: ['KEYSTORE_EXISTS', 'VAULT_UNAVAILABLE'],
  },
  KEYSTORE_EXISTS: {
    title: 'There is a key already',
    hint: 'Choose another place; a key is never overwritten.',
    causes: [
      {
        cause:
          'A file is at this place. With facts.address null it is not a keystore and may still hold a key.',
        fix: 'Write to another path. Move the old file away only after you know that its key is backed up.',
      },
    ],
    related: ['KEYSTORE_MISSING', 'KEYSTORE_WRITE_FAILED'],
  },
  KEYSTORE_PERMISSIONS: {
    title: 'Others may read the key file',
    hint: 'Run chmod 600 on the file, and consider the key known.',
    causes: [
      {
        cause: 'The file was copied or made with a mode such as 644.',
        fix: 'chmod 600 FILE. If others had access to the machine, make a new key and move the coins.',
      },
      {
        cause:
          'A container or service was given a secret of another user with a mode such as 444. Taken are files below $CREDENTIALS_DIRECTORY, and files of another user with mode 440 or 640 whose group is one of this process.',
        fix: 'Mount it with mode 440 and a group of this process (Kubernetes: fsGroup and defaultMode 0440), or as a file of its user with mode 400.',
      },
    ],
    related: ['KEYSTORE_MALFORMED', 'KEYSTORE_WRITE_FAILED'],
  },
  KEYSTORE_LOCKED: {
    title: 'Another process writes the keystore',
    hint: 'Try again in a moment.',
    causes: [
      { cause: 'Another process or page writes the same keystore right now.', fix: 'Try again.' },
      {
        cause:
          'The lock was left by a process of another container or machine, which cannot be checked from here.',
        fix: 'If that process is gone for certain, remove the folder that the message names.',
      },
    ],
    related: ['STORE_LOCKED', 'JOURNAL_LOCKED'],
  },
  KEYSTORE_WRITE_FAILED: {
    title: 'The keystore could not be written',
    hint: 'Make room or choose another place; what was there before is still there.',
    causes: [
      { cause: 'No space is left, the quota is used up, or the disk is read-only.', fix: 'Make room.' },
      {
        cause: 'Access is denied, or the folder does not exist.',
        fix: 'Check owner and mode of the folder.',
      },
    ],
    related: ['JOURNAL_WRITE_FAILED', 'KEYSTORE_PERMISSIONS'],
  },
  VAULT_UNAVAILABLE: {
    title: 'This browser keeps no keys here',
    hint: 'Open the page by https in a normal window.',
    causes: [
      {
        cause: 'The page is loaded by http from another machine, where browsers offer no cryptography.',
        fix: 'Use https.',
      },
      { cause: 'The window is private, or storage is switched off.', fix: 'Use a normal window.' },
      {
        cause: 'Another tab holds an older version of the database.',
        fix: 'Close the other tabs and load again.',
      },
    ],
    related: ['KEYSTORE_MISSING', 'KEYSTORE_WRITE_FAILED'],
  },
  PASSWORD_REFUSED: {
    title: 'The password is too short',
    hint: 'Choose a password with at least facts.minimumLength characters.',
    causes: [
      { cause: 'A short password can be guessed from a stolen file.', fix: 'Use four or more random words.' },
    ],
    related: ['KEYSTORE_UNLOCK_FAILED'],
  },
  MNEMONIC_COUNT: {
    title: 'A recovery phrase has 12 or 24 words',
    hint: 'Count the words; one is missing or there is one too many.',
    causes: [
      { cause: 'A word is missing, or two words were joined.', fix: 'Compare with the written phrase.' },
      { cause: 'The text is a private key or a password.', fix: 'Import it as such.' },
    ],
    related: ['MNEMONIC_WORD', 'MNEMONIC_CHECKSUM'],
  },
  MNEMONIC_WORD: {
    title: 'A word is not in the word list',
    hint: 'Check the spelling of word number facts.position.',
    causes: [
      {
        cause: 'The word is misspelt. The error does not repeat it, because it is part of a secret.',
        fix: 'checkMnemonic suggests the nearest words of the list.',
      },
    ],
    related: ['MNEMONIC_COUNT', 'MNEMONIC_CHECKSUM'],
  },
  MNEMONIC_CHECKSUM: {
    title: 'The words do not belong together',
    hint: 'One word is wrong, or two are exchanged.',
    causes: [
      {
        cause: 'Two words are exchanged, or one was replaced by another of the list.',
        fix: 'Compare word by word.',
      },
    ],
    related: ['MNEMONIC_WORD', 'MNEMONIC_COUNT'],
  },
  SIGNER_FAILED: {
    title: 'The signer did not answer',
    hint: 'Nothing was signed; look at facts.reason and start the signer again.',
    causes: [
      { cause: 'The worker or thread that holds the key ended or failed.', fix: 'Start a new one.' },
      { cause: 'The signer took longer than its timeout.', fix: 'Raise timeoutMs, or free the worker.' },
      {
        cause: 'The signer was closed, or has no such key.',
        fix: 'Close signers after the node that uses them.',
      },
      { cause: 'A sign function of your own threw.', fix: 'Look at error.cause.' },
    ],
    related: ['KEY_IN_USE', 'PAYMENT_ALTERED'],
  },
  KEY_IN_USE: {
    title: 'Another process mines with this key',
    hint: 'Stop that process, which is named, or use another key.',
    causes: [
      {
        cause:
          'hailstone mine already runs with this key on this machine. Two miners of one key evict each other.',
        fix: 'Stop the process in facts.processId, or mine with a key of its own.',
      },
      {
        cause: 'The lock was left in another container, which cannot be checked from here.',
        fix: 'If that process is gone for certain, remove the folder that the message names.',
      },
    ],
    related: ['STORE_LOCKED', 'GATEWAY_ERROR'],
  },
}

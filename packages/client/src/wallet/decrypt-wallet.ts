import { keystoreError, written } from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import { deriveKey, isOutdated } from './key-derivation.ts'
import { KEYSTORE_VERSION, parseKeystore } from './keystore-document.ts'
import { unsealKey } from './seal-key.ts'
import type { Wallet } from './wallet.ts'
import type { OpenWalletOptions } from './wallet-from-private-key.ts'
import { walletOfKey } from './wallet-of-key.ts'

/** Parameters of {@link decryptWallet}. */
export type DecryptWalletParameters = OpenWalletOptions & {
  /** The text of a keystore. */
  readonly text: string
  /** The one that the keystore was encrypted with. */
  readonly password: string
}

/** A decrypted wallet, and if its file should be encrypted again. */
export type DecryptedWallet = {
  readonly wallet: Wallet
  /** Written by an older version or with weaker parameters than today's: to be encrypted again. */
  readonly isOutdated: boolean
}

/**
 * Opens an encrypted private key, and makes sure that it is the key of the address in the file. Takes about half a
 * second.
 *
 * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` for a wrong password, `KEYSTORE_MALFORMED`,
 *   `KEYSTORE_VERSION_UNKNOWN`, `KEYSTORE_PARAMETER_REFUSED`, `KEYSTORE_ADDRESS_DIFFERS`
 */
export async function decryptWallet(parameters: DecryptWalletParameters): Promise<DecryptedWallet> {
  assertNames('of decryptWallet', parameters, ['text', 'password', 'ecdsa'])
  const { text, password, ecdsa } = Object(parameters) as DecryptWalletParameters
  const document = parseKeystore(text)
  const { address, version, derivation } = document
  const key = await deriveKey({ derivation, password: written(password), salt: derivation.salt })
  const privateKey = await unsealKey(document, key).finally(() => key.fill(0))
  const wallet = walletOfKey(privateKey, ecdsa)
  if (wallet.address !== address) {
    throw keystoreError('KEYSTORE_ADDRESS_DIFFERS', { stated: address, found: wallet.address })
  }
  return { wallet, isOutdated: version < KEYSTORE_VERSION || isOutdated(derivation) }
}

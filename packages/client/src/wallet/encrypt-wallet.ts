import { assertArgument, bytesToHex, keystoreError, parsePrivateKey } from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import { defaultKeyDerivation, deriveKey, type KeyDerivation, parametersOf } from './key-derivation.ts'
import { formatKeystore, KEYSTORE_VERSION, type KeystoreHeader } from './keystore-document.ts'
import { sealKey } from './seal-key.ts'
import { type RandomBytes, unpredictableBytes } from './unpredictable-bytes.ts'
import type { Wallet } from './wallet.ts'

/** Parameters of {@link encryptWallet}. */
export type EncryptWalletParameters = {
  /** Its private key is encrypted. */
  readonly wallet: Wallet
  /** At least 8 characters. */
  readonly password: string
  /** @default scrypt (2^17, 8, 1) on Node, PBKDF2-SHA-256 with 1,500,000 iterations in browsers */
  readonly derivation?: KeyDerivation | undefined
  /** Unpredictable bytes. @default the system's, through `crypto.getRandomValues` */
  readonly randomBytes?: RandomBytes | undefined
}

const SHORTEST_PASSWORD = 8

/**
 * Encrypts the private key of a wallet under a password: the text of a keystore file, the same format on Node and
 * in browsers. Salt and nonce are fresh each time. Takes about half a second, on purpose.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `PASSWORD_REFUSED`, `KEYSTORE_PARAMETER_REFUSED`, `RANDOMNESS_REFUSED`,
 *   `VAULT_UNAVAILABLE` in a page without https
 */
export async function encryptWallet(parameters: EncryptWalletParameters): Promise<string> {
  const given = Object(parameters) as EncryptWalletParameters
  const { wallet, password, derivation = defaultKeyDerivation, randomBytes } = given
  assertNames('of encryptWallet', given, ['wallet', 'password', 'derivation', 'randomBytes'])
  const isWallet = typeof wallet?.exportPrivateKey === 'function'
  assertArgument(isWallet, 'wallet', 'a wallet, of createWallet()', wallet)
  assertPassword(password)
  const salt = bytesToHex(unpredictableBytes(16, randomBytes))
  const header: KeystoreHeader = {
    format: 'hailstone-keystore',
    version: KEYSTORE_VERSION,
    address: wallet.address,
    derivation: { ...parametersOf(derivation), salt },
    cipher: { name: 'aes-256-gcm', nonce: bytesToHex(unpredictableBytes(12, randomBytes)) },
  }
  const key = await deriveKey({ derivation, password, salt })
  const privateKey = parsePrivateKey(wallet.exportPrivateKey())
  const document = await sealKey({ header, key, privateKey })
  key.fill(0)
  return formatKeystore(document)
}

/** Counted as people count, so that a keyboard's way of composing letters does not matter. */
function assertPassword(password: string): void {
  const characters = typeof password === 'string' ? [...password.normalize('NFKC')].length : 0
  if (characters < SHORTEST_PASSWORD) {
    throw keystoreError('PASSWORD_REFUSED', { minimumLength: SHORTEST_PASSWORD })
  }
}

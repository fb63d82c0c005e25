import {
  bytesToHex,
  hexToBytes,
  isNodeError,
  keystoreError,
  type PrivateKey,
  parsePrivateKey,
} from '@hailstone/protocol'
import { headerText, type KeystoreDocument, type KeystoreHeader } from './keystore-document.ts'
import { webCrypto } from './web-crypto.ts'

type Bytes = Uint8Array<ArrayBuffer>

const importKey = (key: Bytes, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> =>
  webCrypto().importKey('raw', key, 'AES-GCM', false, [use])

const cipherOf = (header: KeystoreHeader): AesGcmParams => ({
  name: 'AES-GCM',
  iv: hexToBytes(header.cipher.nonce),
  additionalData: new TextEncoder().encode(headerText(header)),
  tagLength: 128,
})

export type SealKeyParameters = {
  readonly header: KeystoreHeader
  /** 32 bytes, from the password. */
  readonly key: Bytes
  readonly privateKey: PrivateKey
}

/** Encrypts a private key (AES-256-GCM), bound to the header. */
export async function sealKey({ header, key, privateKey }: SealKeyParameters): Promise<KeystoreDocument> {
  const secret = hexToBytes(privateKey)
  const sealed = await webCrypto().encrypt(cipherOf(header), await importKey(key, 'encrypt'), secret)
  secret.fill(0)
  return { ...header, ciphertext: bytesToHex(new Uint8Array(sealed)) }
}

/**
 * Decrypts a private key.
 *
 * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED`, the same whatever is wrong
 */
export async function unsealKey(document: KeystoreDocument, key: Bytes): Promise<PrivateKey> {
  const secret = await decrypted(document, await importKey(key, 'decrypt'))
  try {
    return parsePrivateKey(bytesToHex(secret))
  } catch (error) {
    if (!isNodeError(error, 'PRIVATE_KEY_MALFORMED')) throw error
    throw keystoreError('KEYSTORE_MALFORMED', { reason: 'what it holds is no private key' })
  } finally {
    secret.fill(0)
  }
}

async function decrypted(document: KeystoreDocument, key: CryptoKey): Promise<Bytes> {
  try {
    return new Uint8Array(await webCrypto().decrypt(cipherOf(document), key, hexToBytes(document.ciphertext)))
  } catch {
    // Why it failed is not passed on: the answer to a wrong password tells nothing else.
    throw keystoreError('KEYSTORE_UNLOCK_FAILED', { address: document.address })
  }
}

import type { Wallet } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import type { Storage } from './storage.ts'

// Imports no values: the bundler would make chunks of their own from what the engine shares with this one.

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Facts with which a page asks the device for the secret of a passkey. Nothing of it is secret. In packages a key of the
 * device's keystore, which fingerprint or face opens, takes the place of the passkey, here and in all that follows.
 */
export type PasskeyRequest = {
  /** Id of the passkey, or of the key. */
  readonly credentialId: Bytes
  /** Random for each account: the device answers another salt with another secret. */
  readonly salt: Bytes
}

/** A passkey with the 32 bytes that the device gives for its salt (WebAuthn PRF; in packages HMAC-SHA-256). */
export type PasskeySecret = PasskeyRequest & { readonly secret: Bytes }

/** The private key, encrypted a second time with a key that only a passkey's secret derives. */
export type PasskeyBox = PasskeyRequest & { readonly nonce: Bytes; readonly sealed: ArrayBuffer }

const SECRET_BYTES = 32

/** Derives the key of a box with HKDF-SHA-256, and wipes the secret. */
async function keyOf(secret: Bytes, salt: Bytes): Promise<CryptoKey> {
  if (secret.length !== SECRET_BYTES) throw new Error('A passkey gives 32 bytes.')
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  secret.fill(0)
  const info = new TextEncoder().encode('hailstone app, passkey')
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Binds a box to its account and passkey. */
const cipherOf = (address: Address, credentialId: Bytes, nonce: Bytes): AesGcmParams => ({
  name: 'AES-GCM',
  iv: nonce,
  additionalData: new TextEncoder().encode(`${address} ${credentialId.join()}`),
})

/** Encrypts the private key for a passkey (AES-256-GCM). The secret is wiped first. */
export async function sealForPasskey(
  open: () => Promise<Wallet>,
  { credentialId, salt, secret }: PasskeySecret,
): Promise<PasskeyBox> {
  const key = await keyOf(secret, salt)
  const wallet = await open()
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const privateKey = new TextEncoder().encode(wallet.exportPrivateKey())
  const cipher = cipherOf(wallet.address, credentialId, nonce)
  const sealed = await crypto.subtle.encrypt(cipher, key, privateKey)
  privateKey.fill(0)
  return { credentialId, salt, nonce, sealed }
}

/**
 * Encrypts the private key for a passkey and stores the box.
 *
 * @param open opens the account by its passphrase
 * @param names of the box and of the account's record
 * @throws as `open`, and if the brand has no passkeys, there is a box already, or the account was removed meanwhile
 */
export async function storeBox(
  passkey: PasskeySecret,
  {
    open,
    storage,
    names: [name, record],
    rules,
  }: {
    readonly open: () => Promise<Wallet>
    readonly storage: Storage
    readonly names: readonly [string, string]
    readonly rules: { readonly mayHavePasskey: boolean }
  },
): Promise<void> {
  if (!rules.mayHavePasskey) throw new Error('This app has no passkeys.')
  let sealedFor: Address | null = null
  const box = await sealForPasskey(async () => {
    const wallet = await open()
    sealedFor = wallet.address
    return wallet
  }, passkey)
  // The passphrase takes its time, in which another tab may remove the account or set up a passkey.
  await storage.swap([record, name], ({ [record]: kept, [name]: other }) => {
    const isSame = (kept as { readonly address: Address } | undefined)?.address === sealedFor
    if (other !== undefined || !isSame)
      throw new Error('The account has changed meanwhile, or has a passkey already.')
    return { [name]: box }
  })
}

/**
 * Returns the private key of an account, decrypted with its passkey's secret, which is wiped. Null whatever is wrong:
 * another passkey, another account, an altered box, or none.
 */
export async function openByPasskey(
  address: Address,
  box: PasskeyBox | undefined,
  secret: Bytes,
): Promise<string | null> {
  try {
    const { credentialId, salt, nonce, sealed } = box as PasskeyBox
    const key = await keyOf(secret, salt)
    const privateKey = await crypto.subtle.decrypt(cipherOf(address, credentialId, nonce), key, sealed)
    const text = new TextDecoder().decode(privateKey)
    new Uint8Array(privateKey).fill(0)
    return text
  } catch {
    return null
  } finally {
    secret.fill(0)
  }
}

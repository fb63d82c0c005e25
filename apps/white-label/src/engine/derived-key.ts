import type { Wallet } from '@hailstone/client'
import { hexToBytes } from '@hailstone/protocol'

/** Each purpose has a key of its own, so that one reveals nothing about another. */
type Purpose = 'words' | 'payment consent'

/**
 * Derives a key from the private key with HKDF-SHA-256. Only a worker that opened the vault with the passphrase can
 * derive it. It is never stored and cannot be exported.
 */
export async function derivedKey(
  wallet: Wallet,
  purpose: Purpose,
  algorithm: AesKeyGenParams | HmacKeyGenParams,
  usages: readonly KeyUsage[],
): Promise<CryptoKey> {
  const bytes = hexToBytes(wallet.exportPrivateKey())
  const secret = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  bytes.fill(0)
  const info = new TextEncoder().encode(`hailstone app, ${purpose}`)
  const salt = new Uint8Array(32)
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return crypto.subtle.deriveKey(hkdf, secret, algorithm, false, [...usages])
}

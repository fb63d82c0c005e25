import type { Wallet } from '@hailstone/client'
import { derivedKey } from './derived-key.ts'

/** The stored recovery phrase, encrypted with a key derived from the private key. */
export type SealedWords = { readonly nonce: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer }

const keyOf = (wallet: Wallet): Promise<CryptoKey> =>
  derivedKey(wallet, 'words', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])

export async function sealWords(wallet: Wallet, words: string): Promise<SealedWords> {
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const text = new TextEncoder().encode(words)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await keyOf(wallet), text)
  return { nonce, sealed }
}

/** @throws {DOMException} `OperationError` if it belongs to another account or was altered */
export async function openWords(wallet: Wallet, { nonce, sealed }: SealedWords): Promise<string> {
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, await keyOf(wallet), sealed)
  return new TextDecoder().decode(text)
}

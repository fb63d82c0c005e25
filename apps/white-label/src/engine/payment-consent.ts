import type { PaymentSummary, Wallet } from '@hailstone/client'
import { bytesToHex, hexToBytes } from '@hailstone/protocol'
import { derivedKey } from './derived-key.ts'

/** Proof for other tabs that a holder of the passphrase agreed to exactly this summary. Hex. */
export type ConsentProof = string

const keyOf = (wallet: Wallet): Promise<CryptoKey> =>
  derivedKey(wallet, 'payment consent', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify'])

/** Serialises the whole summary, payment bytes included: what was shown must be what is signed. */
const textOf = (summary: PaymentSummary): Uint8Array<ArrayBuffer> => {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)
  const entries = Object.entries(summary).sort(([a], [b]) => (a < b ? -1 : 1))
  return new TextEncoder().encode(JSON.stringify(entries, plain))
}

export async function proveConsent(wallet: Wallet, summary: PaymentSummary): Promise<ConsentProof> {
  return bytesToHex(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(wallet), textOf(summary))))
}

/** True if a holder of the key of `wallet` agreed to exactly this summary. */
export async function isConsent(wallet: Wallet, summary: PaymentSummary, proof: unknown): Promise<boolean> {
  if (typeof proof !== 'string' || !/^[0-9a-f]{64}$/.test(proof)) return false
  return crypto.subtle.verify('HMAC', await keyOf(wallet), hexToBytes(proof), textOf(summary))
}

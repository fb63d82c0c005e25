import type { PaymentSummary, Wallet } from '@hailstone/client'
import { bytesToHex, hexToBytes } from '@hailstone/protocol'
import { derivedKey } from './derived-key.ts'
import type { PayoutSetting } from './payout-setting.ts'

/** A payment, or the rule of payouts. Their members differ, so that a proof of one is never valid for the other. */
export type Agreement = PaymentSummary | PayoutSetting

/** Proof for other tabs that a holder of the passphrase agreed to exactly this summary or rule. Hex. */
export type ConsentProof = string

const keyOf = (wallet: Wallet): Promise<CryptoKey> =>
  derivedKey(wallet, 'payment consent', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify'])

/** Serialises the whole summary, payment bytes included: what was shown must be what is signed. */
const textOf = (summary: Agreement): Uint8Array<ArrayBuffer> => {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)
  const entries = Object.entries(summary).sort(([a], [b]) => (a < b ? -1 : 1))
  return new TextEncoder().encode(JSON.stringify(entries, plain))
}

export async function proveConsent(wallet: Wallet, summary: Agreement): Promise<ConsentProof> {
  return bytesToHex(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(wallet), textOf(summary))))
}

/** True if a holder of the key of `wallet` agreed to exactly this summary. */
export async function isConsent(wallet: Wallet, summary: Agreement, proof: unknown): Promise<boolean> {
  if (typeof proof !== 'string' || !/^[0-9a-f]{64}$/.test(proof)) return false
  return crypto.subtle.verify('HMAC', await keyOf(wallet), hexToBytes(proof), textOf(summary))
}

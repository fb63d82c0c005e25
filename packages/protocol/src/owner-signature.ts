import type { VerifyText } from './accelerated/ecdsa.ts'
import { verifyText } from './ecdsa.ts'

/** `"` and an even number of hex digits, as the bytes of a JSON text. */
const SHORTEST = 2
const LONGEST = 146

/**
 * Reads the `leader_sign` of a key block of newer nodes: the bytes of the JSON text of one signature in hex (PROTOCOL 4).
 * Null for anything else, such as the two points that `parseLeaderSignature` reads.
 */
export function parseOwnerSignature(bytes: Iterable<number> & { readonly length: number }): string | null {
  if (bytes.length <= SHORTEST || bytes.length > LONGEST) return null
  const codes = [...bytes]
  if (!codes.every((code) => Number.isInteger(code) && code > 0 && code < 128)) return null
  return /^"((?:[\da-f]{2})+)"$/i.exec(String.fromCharCode(...codes).trim())?.[1] ?? null
}

/** What of a key block newer nodes sign: the owner of the stake pool that leads signs the root alone. */
export type OwnerSignedBlock = {
  readonly merkleRoot: string
  readonly leader?: string | null | undefined
  readonly leaderSignature?: { readonly bytes: readonly number[] } | null | undefined
}

/**
 * True if the account that a key block of a newer node names as its leader signed its root. It proves who signed, not
 * that this account may lead. False for a signature of two points, which `verifyLeaderSignature` verifies, and for none.
 */
export function isSignedByOwner(block: OwnerSignedBlock, verify: VerifyText = verifyText): boolean {
  const { merkleRoot, leader, leaderSignature } = block
  const signature = leaderSignature ? parseOwnerSignature(leaderSignature.bytes) : null
  if (signature === null || typeof leader !== 'string') return false
  return verify({ text: merkleRoot, signature, address: leader.toLowerCase() as never })
}

import { bytesToHex } from './bytes.ts'
import { compactToDer, derToCompact, lenientHexToBytes } from './der.ts'
import { type Transaction, transactionHash } from './transaction.ts'
import type { Hash } from './values/hash.ts'
import { CURVE_ORDER } from './values/private-key.ts'
import type { Signature } from './values/signature.ts'

const HEX_DIGITS = [...'0123456789abcdef']

/**
 * Returns the other signature that is valid wherever this one is: s replaced by n - s (PROTOCOL 2.3).
 *
 * @param signature DER in hex digits
 * @throws {NodeError} `SIGNATURE_MALFORMED`
 */
export function flippedSignature(signature: string): Signature {
  const compact = derToCompact(lenientHexToBytes(signature))
  const s = BigInt(`0x${bytesToHex(compact.subarray(32))}`)
  const flipped = (BigInt(CURVE_ORDER) - s).toString(16).padStart(64, '0')
  return bytesToHex(
    compactToDer(lenientHexToBytes(bytesToHex(compact.subarray(0, 32)) + flipped)),
  ) as Signature
}

/**
 * Returns the hashes of every copy of a transaction that a stranger can make: the signature flipped, and either form
 * with a superfluous half byte, which the network ignores when it verifies and counts when it hashes (PROTOCOL 2.3).
 * The network would execute each of them beside ours, so none may be around when ours is sent again.
 *
 * @throws {NodeError} `SIGNATURE_MALFORMED`
 */
export function malleatedHashes(transaction: Transaction): ReadonlySet<Hash> {
  const { signature } = transaction
  const flipped = flippedSignature(signature)
  const signatures = [flipped, ...[signature, flipped].flatMap((even) => HEX_DIGITS.map((odd) => even + odd))]
  return new Set(
    signatures.map((other) => transactionHash({ ...transaction, signature: other as Signature })),
  )
}

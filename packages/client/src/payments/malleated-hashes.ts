import {
  CURVE_ORDER,
  compactToDer,
  derToCompact,
  type Hash,
  lenientHexToBytes,
  type Signature,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'

const HEX_DIGITS = [...'0123456789abcdef']

const bytesToHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The other signature that is valid wherever this one is: s replaced by n - s (PROTOCOL 2.3). */
export function flippedSignature(signature: string): Signature {
  const compact = derToCompact(lenientHexToBytes(signature))
  const s = BigInt(`0x${bytesToHex(compact.subarray(32))}`)
  const flipped = (BigInt(CURVE_ORDER) - s).toString(16).padStart(64, '0')
  return bytesToHex(
    compactToDer(lenientHexToBytes(bytesToHex(compact.subarray(0, 32)) + flipped)),
  ) as Signature
}

/**
 * Hashes of every copy of a transaction that a stranger can make: the signature flipped, and either form with
 * a superfluous half byte, which the network ignores when it verifies and counts when it hashes (PROTOCOL 2.3).
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

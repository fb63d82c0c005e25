import { hexToBytes, utf8ToBytes } from './bytes.ts'
import { assertArgument } from './errors/assert-argument.ts'
import { hmacSha256 } from './sha256.ts'
import { type PrivateKey, parsePrivateKey } from './values/private-key.ts'

/** Keeps the derivation apart from every other use of the key. */
const PURPOSE = 'hailstone payment nonce 1'

/**
 * Derives the nonce of a transaction from a private key and names that tell orders apart: the first 53 bits of an HMAC-SHA256
 * under the key. Without the key nobody can compute or check it, so names that are easy to guess do not show in the chain.
 *
 * @returns 0 … 2^53-1
 * @throws {NodeError} `ARGUMENT_INVALID`, `PRIVATE_KEY_MALFORMED`
 */
export function derivedNonce(privateKey: PrivateKey, names: readonly string[]): number {
  const isRight = Array.isArray(names) && names.every((name) => typeof name === 'string')
  assertArgument(isRight, 'names', 'texts', names)
  const bytes = hmacSha256(
    hexToBytes(parsePrivateKey(privateKey)),
    utf8ToBytes(JSON.stringify([PURPOSE, ...names])),
  )
  let nonce = 0
  for (const byte of bytes.subarray(0, 6)) nonce = nonce * 256 + byte
  return nonce * 32 + ((bytes[6] ?? 0) >> 3)
}

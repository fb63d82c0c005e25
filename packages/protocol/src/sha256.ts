import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js'

const BLOCK_BYTES = 64

const padded = (key: Uint8Array, pad: number): Uint8Array => {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key)
  return block.map((byte) => byte ^ pad)
}

/**
 * SHA-256 of concatenated pieces. Uses noble's class: noble's wrapper function adds option checks and streams, 1 kB
 * in every page.
 */
export function sha256(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const hash = new Sha256()
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/** HMAC-SHA256 (RFC 2104). */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const short = key.length > BLOCK_BYTES ? sha256(key) : key
  return sha256(padded(short, 0x5c), sha256(padded(short, 0x36), message))
}

import { platformHashing, remembered } from '#platform'
import { bytesToHex, utf8ToBytes } from './bytes.ts'
import { sha256 } from './sha256.ts'
import type { Hash } from './values/hash.ts'

/** SHA-256 in plain JavaScript: used by browsers, and the reference for OpenSSL. */
export const pureSha256Hex = (text: string): Hash => bytesToHex(sha256(utf8ToBytes(text))) as Hash

/**
 * SHA-256 of the UTF-8 bytes of a text, as 64 lower-case hex digits. One call to OpenSSL on Node, several times
 * faster than JavaScript; JavaScript elsewhere, since WebCrypto is ten times slower for short texts.
 */
export const sha256Hex = platformHashing ? platformHashing.sha256Hex : pureSha256Hex

/** Lowers A–Z and no other letters, as the conventions of the protocol require. */
function lower(text: string): string {
  const lowered = text.toLowerCase()
  // Nearly every field is ASCII, where the built-in function gives the same and is faster.
  return lowered === text || !/[^\0-\x7f]/.test(text)
    ? lowered
    : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Returns the hash of one field: of its text in lower case. */
export const fieldHash = remembered(
  (field: string | number | bigint): Hash => sha256Hex(lower(String(field))),
)

/** Compares texts in ascending order, the order of microblocks and transactions. */
export const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

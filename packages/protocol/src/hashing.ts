import { platformHashing } from '#platform'
import { bytesToHex, utf8ToBytes } from './bytes.ts'
import { hmacSha256, sha256 } from './sha256.ts'
import type { Hash } from './values/hash.ts'

const emptyKey = new Uint8Array(0)

/** SHA-256 in plain JavaScript: what browsers use, and what the other way is compared with. */
export const pureSha256Hex = (text: string): Hash => bytesToHex(sha256(utf8ToBytes(text))) as Hash

export const pureHmacHex = (text: string): Hash => bytesToHex(hmacSha256(emptyKey, utf8ToBytes(text))) as Hash

/**
 * SHA-256 of the UTF-8 bytes of a text, as 64 lower-case hex digits. On Node one call to OpenSSL, several times
 * faster than JavaScript; elsewhere JavaScript, since WebCrypto is ten times slower for texts this short.
 */
export const sha256Hex = platformHashing?.sha256Hex ?? pureSha256Hex

/** HMAC-SHA256 with an empty key, which is not the plain hash (PROTOCOL conventions). */
export const hmacHex = platformHashing?.hmacHex ?? pureHmacHex

/** A–Z in lower case, and no other letter: the conventions of the protocol name these alone. */
function lower(text: string): string {
  const lowered = text.toLowerCase()
  // Nearly every field is ASCII, where the platform's way is the same and faster.
  return lowered === text || !/[^\0-\x7f]/.test(text)
    ? lowered
    : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The hash of one field: its text in lower case, hashed. */
export const fieldHash = (field: string | number | bigint): Hash => sha256Hex(lower(String(field)))

/** Ascending as text, the order of microblocks and of transactions. */
export const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

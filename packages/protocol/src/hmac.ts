import { platformHashing } from '#platform'
import { bytesToHex, utf8ToBytes } from './bytes.ts'
import { hmacSha256 } from './sha256.ts'
import type { Hash } from './values/hash.ts'

const emptyKey = new Uint8Array(0)

/** HMAC-SHA256 with an empty key in plain JavaScript: used by browsers, and the reference for OpenSSL. */
export const pureHmacHex = (text: string): Hash => bytesToHex(hmacSha256(emptyKey, utf8ToBytes(text))) as Hash

/** HMAC-SHA256 with an empty key, which differs from the plain hash (PROTOCOL conventions). */
export const hmacHex = platformHashing ? platformHashing.hmacHex : pureHmacHex

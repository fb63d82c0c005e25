import type { Hash } from '../values/hash.ts'
import type { VerifyText } from './ecdsa.ts'
import { type NodeCrypto, nodeCrypto } from './node-crypto.ts'
import { createOpensslVerifier } from './openssl-verifier.ts'
import { canVerify } from './self-check.ts'

/** Hash functions that a platform provides. */
export type PlatformHashing = {
  readonly sha256Hex: (text: string) => Hash
  readonly hmacHex: (text: string) => Hash
}

/** An empty key, padded for the inner hash of an HMAC (RFC 2104): 64 times 0x36. */
const INNER_PAD = '6'.repeat(64)
const BLOCK_BYTES = 64

/**
 * The HMAC is two one-shot hashes: an object of OpenSSL for each would cost as much again when it is collected.
 */
function hashingOf({ hash }: NodeCrypto): PlatformHashing {
  const outer = new Uint8Array(BLOCK_BYTES + 32).fill(0x5c, 0, BLOCK_BYTES)
  return {
    sha256Hex: (text) => hash('sha256', text, 'hex') as Hash,
    hmacHex: (text) => {
      outer.set(hash('sha256', INNER_PAD + text, 'buffer'), BLOCK_BYTES)
      return hash('sha256', outer, 'hex') as Hash
    },
  }
}

/** Longest text that is remembered: addresses, tokens and the empty text, not the text of a memo. */
const REMEMBERED_CHARACTERS = 66
/** Texts that are remembered before all are forgotten. */
const TEXTS_REMEMBERED = 1_024

/**
 * Returns the function with a memory for the texts that payment after payment repeats: tokens, accounts and the
 * absent memo are half of what is hashed of one.
 */
export function remembered(
  compute: (field: string | number | bigint) => Hash,
): (field: string | number | bigint) => Hash {
  const known = new Map<string, Hash>()
  return (field) => {
    if (typeof field !== 'string' || field.length > REMEMBERED_CHARACTERS) return compute(field)
    const found = known.get(field)
    if (found !== undefined) return found
    if (known.size >= TEXTS_REMEMBERED) known.clear()
    const hash = compute(field)
    known.set(field, hash)
    return hash
  }
}

/**
 * OpenSSL on Node, undefined elsewhere. Browser builds replace this file with `platform-browser.ts`, through
 * `imports` in package.json.
 */
export const platformHashing: PlatformHashing | undefined =
  nodeCrypto === undefined ? undefined : hashingOf(nodeCrypto)

/** Returns undefined if there is no OpenSSL, or one without the curve. */
export function createPlatformVerifier(): VerifyText | undefined {
  const verify = nodeCrypto && createOpensslVerifier(nodeCrypto)
  return verify && canVerify(verify) ? verify : undefined
}

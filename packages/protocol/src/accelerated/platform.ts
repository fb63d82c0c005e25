import type { Hash } from '../values/hash.ts'
import type { VerifyText } from './ecdsa.ts'
import { type NodeCrypto, nodeCrypto } from './node-crypto.ts'
import { createOpensslVerifier } from './openssl-verifier.ts'
import { canVerify } from './self-check.ts'

/** The hashes of this package, as a platform computes them. */
export type PlatformHashing = {
  readonly sha256Hex: (text: string) => Hash
  readonly hmacHex: (text: string) => Hash
}

const hashingOf = (openssl: NodeCrypto): PlatformHashing => ({
  sha256Hex: (text) => openssl.hash('sha256', text, 'hex') as Hash,
  hmacHex: (text) => openssl.createHmac('sha256', '').update(text).digest('hex') as Hash,
})

/**
 * OpenSSL on Node, undefined elsewhere. Builds for browsers leave this file out: `imports` in package.json puts
 * `platform-browser.ts` in its place.
 */
export const platformHashing: PlatformHashing | undefined =
  nodeCrypto === undefined ? undefined : hashingOf(nodeCrypto)

/** Undefined where OpenSSL is built without the curve, too. */
export function createPlatformVerifier(): VerifyText | undefined {
  const verify = nodeCrypto && createOpensslVerifier(nodeCrypto)
  return verify && canVerify(verify) ? verify : undefined
}

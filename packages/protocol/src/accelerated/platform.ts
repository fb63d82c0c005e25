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

const hashingOf = (openssl: NodeCrypto): PlatformHashing => ({
  sha256Hex: (text) => openssl.hash('sha256', text, 'hex') as Hash,
  hmacHex: (text) => openssl.createHmac('sha256', '').update(text).digest('hex') as Hash,
})

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

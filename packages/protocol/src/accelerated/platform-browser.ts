import type { VerifyText } from './ecdsa.ts'
import type { PlatformHashing } from './platform.ts'

/** Undefined: browsers compute in JavaScript. WebCrypto lacks secp256k1 and is slow for short texts. */
export const platformHashing: PlatformHashing | undefined = undefined

/** The function itself: a page that mines hashes a few payments. */
export const remembered = <T>(compute: T): T => compute

export const createPlatformVerifier = (): VerifyText | undefined => undefined

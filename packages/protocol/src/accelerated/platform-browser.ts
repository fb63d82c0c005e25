import type { VerifyText } from './ecdsa.ts'
import type { PlatformHashing } from './platform.ts'

/** Undefined: browsers compute in JavaScript. WebCrypto lacks secp256k1 and is slow for short texts. */
export const platformHashing: PlatformHashing | undefined = undefined

export const createPlatformVerifier = (): VerifyText | undefined => undefined

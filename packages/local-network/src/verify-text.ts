import { type VerifyText, verifyText } from '@hailstone/protocol'

/**
 * The verifier of this network. The protocol's own already computes in OpenSSL on Node and keeps the opened keys,
 * so there is nothing to add; a network that is to be lenient or strict passes another one.
 */
export const createTextVerifier = (): VerifyText => verifyText

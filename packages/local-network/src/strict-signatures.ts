import { CURVE_ORDER, derToCompact, lenientHexToBytes, type VerifyText } from '@hailstone/protocol'

const HALF_ORDER = CURVE_ORDER / 2n

/** True if `s` is in the lower half: the form, of two, that all signers here make. */
function isLowS(signature: string): boolean {
  try {
    const s = derToCompact(lenientHexToBytes(signature)).subarray(32)
    return BigInt(`0x${Buffer.from(s).toString('hex')}`) <= HALF_ORDER
  } catch {
    return false
  }
}

/**
 * Verifies more strictly than the network: high-S is refused, so that nobody can make a second transaction out of
 * a first one by turning its signature round (PROTOCOL 2.3, malleability).
 */
export const refuseHighS =
  (verify: VerifyText): VerifyText =>
  (question) =>
    isLowS(question.signature) && verify(question)

/** A nonce out of all 2^53. It is no secret and has no order; it only keeps equal payments apart. */
export const randomNonce = (randomness: () => number): number => Math.floor(randomness() * 2 ** 53)

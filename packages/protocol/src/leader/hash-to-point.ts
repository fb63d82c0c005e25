import { type BasePoint, baseCurve } from './curve.ts'
import { FIELD_PRIME, reduce, squareRoot } from './field.ts'

/** Cofactor that turns a hashed point into a leader's identity (PROTOCOL 8.1): 2²·197·263. */
const IDENTITY_COFACTOR = 0x3298cn

/**
 * Returns the first point at or after x = n whose y is not zero, with y = (x³ + x)^((p+1)/4) (PROTOCOL 8.3).
 *
 * Two candidates on average, one power of 510 squarings each: about 1 ms in all. An author of the hashed text can
 * search for long runs of non-squares, but a run of k costs 2^k hashes.
 */
export function hashToPoint(n: bigint): NonNullable<BasePoint> {
  for (let x = reduce(n); ; x = (x + 1n) % FIELD_PRIME) {
    const y = squareRoot(reduce(x * x * x + x))
    if (y !== null && y !== 0n) return { x, y }
  }
}

/**
 * Returns the identity point Q of a leader: the hashed point times the cofactor, from the next n if that is O
 * (PROTOCOL 8.3).
 */
export function identityPoint(n: bigint): NonNullable<BasePoint> {
  for (let next = n; ; next++) {
    const point = baseCurve.multiply(IDENTITY_COFACTOR, hashToPoint(next))
    if (point !== null) return point
  }
}

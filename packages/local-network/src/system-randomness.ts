import { randomFillSync } from 'node:crypto'

/** Drawn at once: each time costs as much as some dozens of numbers. */
const drawn = new BigUint64Array(128)
let left = 0

/** Uniform in [0, 1), with as many bits as a number holds. */
export function systemRandomness(): number {
  if (left === 0) {
    randomFillSync(drawn)
    left = drawn.length
  }
  left--
  return Number((drawn[left] ?? 0n) >> 11n) / 2 ** 53
}

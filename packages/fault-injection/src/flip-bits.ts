import type { SeededRandom } from './seeded-random.ts'

/** A copy with so many bits turned round; the same bit twice is possible. */
export function flipBits(bytes: Buffer, count: number, random: SeededRandom): Buffer {
  const copy = Buffer.from(bytes)
  if (copy.length === 0) return copy
  for (let flipped = 0; flipped < count; flipped++) {
    const bit = random.integer(0, copy.length * 8 - 1)
    const at = bit >> 3
    copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7))
  }
  return copy
}

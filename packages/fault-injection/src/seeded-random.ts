import { createHash } from 'node:crypto'

/** Numbers that look random and are the same for the same seed. */
export type SeededRandom = {
  /** In [0, 1). */
  readonly next: () => number
  /** From `least` to `most`, both included. */
  readonly integer: (least: number, most: number) => number
}

/** sfc32 of Chris Doty-Humphrey, started from the SHA-256 of the seed. */
export function createSeededRandom(seed: string): SeededRandom {
  const start = createHash('sha256').update(seed).digest()
  let [a, b, c, counter] = [start.readInt32LE(0), start.readInt32LE(4), start.readInt32LE(8), 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 0x1_0000_0000
  }
  return { next, integer: (least, most) => least + Math.floor(next() * (most - least + 1)) }
}

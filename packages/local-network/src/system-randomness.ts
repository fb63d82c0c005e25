import { randomBytes } from 'node:crypto'

/** Uniform in [0, 1), with as many bits as a number holds. */
export const systemRandomness = (): number => Number(randomBytes(8).readBigUInt64LE() >> 11n) / 2 ** 53

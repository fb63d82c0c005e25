import { randomInt } from 'node:crypto'

const VALUES = 2 ** 48 - 1

/** Uniform in [0, 1), with 48 bits, the most that Node draws at once. */
export const systemRandomness = (): number => randomInt(VALUES) / VALUES

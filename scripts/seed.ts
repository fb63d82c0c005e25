const given = process.env.HAILSTONE_SEED ?? '1'

/** Seed of everything that a test draws: 1, the number in `HAILSTONE_SEED`, or a new one for `HAILSTONE_SEED=random`. */
export const seed: number = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
if (!Number.isSafeInteger(seed))
  throw new RangeError(`HAILSTONE_SEED is a whole number or "random", not "${given}".`)
if (given === 'random') console.log(`HAILSTONE_SEED=${seed} repeats what this run draws.`)

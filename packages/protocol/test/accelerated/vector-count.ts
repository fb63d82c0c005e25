/** How many random vectors each comparison takes. A longer run: `HAILSTONE_VECTORS=1000000 npx vitest run`. */
export const VECTORS = Number(process.env.HAILSTONE_VECTORS ?? 20_000)

/** Another one every time; a failure names it, and `HAILSTONE_SEED` repeats it. */
export const SEED = process.env.HAILSTONE_SEED ?? String(Date.now())

import { gateSize } from '../../../../scripts/gate-size.ts'
import { seed } from '../../../../scripts/seed.ts'

/** How many random vectors each comparison takes. A longer run: `HAILSTONE_VECTORS=1000000 npx vitest run`. */
export const VECTORS = gateSize('HAILSTONE_VECTORS', { test: 2_000, gates: 20_000 })

/** A failure names it; `HAILSTONE_SEED=random` draws another one. */
export const SEED = String(seed)

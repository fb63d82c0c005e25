import { gateSize } from '../../../../scripts/gate-size.ts'
import { seed } from '../../../../scripts/seed.ts'

/** Random vectors per comparison. Larger size: `HAILSTONE_VECTORS=1000000 npx vitest run`. */
export const VECTORS = gateSize('HAILSTONE_VECTORS', { change: 2_000, night: 20_000 })

/** Printed with a failure; `HAILSTONE_SEED=random` draws another one. */
export const SEED = String(seed)

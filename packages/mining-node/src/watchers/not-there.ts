import type { Proof } from '@hailstone/runtime'

/** What it takes to believe that a block is not there which another answer names. */
export const ABSENT: Proof = { answers: 5, overMs: 300_000 }

import type { Hash } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'

/** The key blocks that verified beacons named since the height of the API last changed. */
export type KeyBlockLead = {
  readonly newest: Hash | undefined
  readonly claim: Claim | null
}

export const NO_LEAD: KeyBlockLead = { newest: undefined, claim: null }

/** Counts a key block that was not the newest before. @param atMs by a clock that does not jump */
export const withNamed = (
  { newest, claim }: KeyBlockLead,
  { keyBlockHash, atMs }: { readonly keyBlockHash: Hash; readonly atMs: number },
): KeyBlockLead => ({
  newest: keyBlockHash,
  claim: newest === keyBlockHash ? claim : repeated(claim, { source: '', atMs }),
})

/** True if the gateway goes on from one key block to the next while the height of the API stands. */
export const isAhead = ({ claim }: KeyBlockLead, blockTimeMs: number): boolean =>
  isProved(claim, { answers: 4, overMs: 2 * blockTimeMs })

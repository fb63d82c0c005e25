import type { ClientCore } from '@hailstone/client'
import { apiError } from '@hailstone/protocol'
import { type Claim, isProved, type Proof, repeated } from '@hailstone/runtime'

/** What it takes to believe that something is not there which another answer names. */
export const ABSENT: Proof = { answers: 5, overMs: 300_000 }

/**
 * Takes in that a node does not have something which another answer names, and returns once that was said for minutes,
 * of the same thing: until then the node is behind, and has to be asked again.
 *
 * @throws {NodeError} `RESPONSE_INVALID` with the name of the thing
 */
export type NotThere = (core: ClientCore, path: string, what: string) => void

export function createNotThere(): NotThere {
  let of = ''
  let claim: Claim | null = null
  return ({ clock, apiUrl: source }, path, what) => {
    claim = repeated(of === what ? claim : null, { source, atMs: clock.monotonicMs() })
    of = what
    if (isProved(claim, ABSENT)) return
    throw apiError('RESPONSE_INVALID', {
      path,
      reason: `it does not know ${what}, which another answer names`,
    })
  }
}

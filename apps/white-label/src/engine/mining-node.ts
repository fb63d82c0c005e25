import type { VerifyLeader } from '@hailstone/mining-node/leader'

export { createMiningNode } from '@hailstone/mining-node'

/**
 * Loads the verifier with the first leader signature; no current network sends any. Returns false if loading fails.
 */
export const verifyLeader: VerifyLeader = (question) =>
  import('@hailstone/mining-node/leader').then(
    (leader) => leader.verifyLeader(question),
    () => false,
  )

import type { VerifyLeader } from '@hailstone/mining-node/leader'

export { createMiningNode } from '@hailstone/mining-node'

/** Comes with the first signature, which no current network sends. What cannot be verified is not signed. */
export const verifyLeader: VerifyLeader = (question) =>
  import('@hailstone/mining-node/leader').then(
    (leader) => leader.verifyLeader(question),
    () => false,
  )

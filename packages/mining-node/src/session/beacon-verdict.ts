import type { BeaconCheck, Hash } from '@hailstone/protocol'

export const LEADER_REFUSAL = "the leader's signature is not valid"
/** Our own lack and not the gateway's fault. */
export const LEADER_UNVERIFIED = "the leader's signature cannot be verified: pass verifyLeader"

/** Whether a beacon may be signed, the leader's signature included. */
export type BeaconVerdict =
  | BeaconCheck
  | {
      readonly ok: false
      readonly refusal: typeof LEADER_REFUSAL | typeof LEADER_UNVERIFIED
      readonly microblockHash: Hash
    }

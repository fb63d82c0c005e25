import type { BeaconCheck, Hash } from '@hailstone/protocol'

export const LEADER_REFUSAL = "the leader's signature is not valid"
export const LEADER_MISSING = "the leader's signature is missing"
/** Our own lack and not the gateway's fault. */
export const LEADER_UNVERIFIED = "the leader's signature cannot be verified by this program"

export type LeaderRefusal = typeof LEADER_REFUSAL | typeof LEADER_MISSING | typeof LEADER_UNVERIFIED

/** Whether a beacon may be signed, the leader's signature included. */
export type BeaconVerdict =
  | BeaconCheck
  | {
      readonly ok: false
      readonly refusal: LeaderRefusal
      readonly microblockHash: Hash
    }

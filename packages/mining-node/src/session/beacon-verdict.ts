import type { BeaconCheck, Hash } from '@hailstone/protocol'

export const LEADER_REFUSAL = "the leader's signature is not valid"

/** Whether a beacon may be signed, the leader's signature included. */
export type BeaconVerdict =
  | BeaconCheck
  | { readonly ok: false; readonly refusal: typeof LEADER_REFUSAL; readonly microblockHash: Hash }

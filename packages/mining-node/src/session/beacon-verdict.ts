import type { BeaconCheck, BeaconRefusal, Hash } from '@hailstone/protocol'

export const LEADER_REFUSAL = 'leaderSignatureNotValid'
export const LEADER_MISSING = 'leaderSignatureMissing'
/** This program lacks the verifier; not the gateway's fault. */
export const LEADER_UNVERIFIED = 'leaderSignatureNotVerifiable'

export type LeaderRefusal = typeof LEADER_REFUSAL | typeof LEADER_MISSING | typeof LEADER_UNVERIFIED

/** Reason for which a session did not sign a beacon. */
export type RefusalReason = BeaconRefusal | LeaderRefusal | 'signedBefore' | 'newerBeaconCame' | 'notSigned'

/** A beacon that was not signed. */
export type BeaconRefusalInfo = {
  readonly microblockHash: Hash
  readonly refusal: RefusalReason
  /** The words of the code, for people; of `notSigned` the reason of the signer. */
  readonly why: string
}

/** Result of all checks of a beacon, the leader's signature included. */
export type BeaconVerdict =
  | BeaconCheck
  | {
      readonly ok: false
      readonly refusal: LeaderRefusal
      readonly microblockHash: Hash
    }

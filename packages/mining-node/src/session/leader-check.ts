import { type Beacon, type BeaconCheck, sha256Hex } from '@hailstone/protocol'
import type { LeaderSignature, MasterPublicKey, masterPublicKeys } from '@hailstone/protocol/leader'
import {
  type BeaconVerdict,
  LEADER_MISSING,
  LEADER_REFUSAL,
  LEADER_UNVERIFIED,
  type LeaderRefusal,
} from './beacon-verdict.ts'

/** A master key, or the name of one that `@hailstone/protocol/leader` knows. */
export type MasterKey = MasterPublicKey | keyof typeof masterPublicKeys

/** A leader's signature over one microblock, and whose it should be (PROTOCOL 8.4, before fork 002). */
export type LeaderQuestion = {
  /** Key of the network under which leaders sign. */
  readonly masterPublicKey: MasterKey
  /** Identity of the leader, as the beacon has it. */
  readonly leaderId: string | number | bigint
  /** Key block that the microblock extends, 64 hex digits. */
  readonly keyBlockHash: string
  /** Microblock that is offered, 64 hex digits. */
  readonly microblockHash: string
  /** Salt of the microblock. */
  readonly nonce: bigint
  readonly signature: LeaderSignature
}

/** Never rejects: where no thread answers, the question is answered on this one. */
export type VerifyLeader = (question: LeaderQuestion) => Promise<boolean>

/** Null for a beacon without a leader's signature: current networks send none. */
export function leaderQuestion(
  { leaderId, microblockHash, content, leaderSignature }: Beacon,
  masterPublicKey: MasterKey,
): LeaderQuestion | null {
  if (leaderSignature === undefined || leaderSignature === null) return null
  const { keyBlockHash, nonce } = content
  return { masterPublicKey, leaderId, keyBlockHash, microblockHash, nonce, signature: leaderSignature }
}

/** Verification of the leaders of one network. Shared by all its sessions. */
export type LeaderCheck = {
  readonly masterPublicKey: MasterKey
  /** Without it nothing that carries a signature is signed. */
  readonly verify?: VerifyLeader | undefined
  /** True if beacons without a signature are refused: on request, or since a valid signature came. */
  isRequired: boolean
}

/**
 * Returns the verdict on a beacon that passed the other checks: the same check, or the leader's refusal. A valid
 * signature proves that this network signs: from then on a gateway cannot leave it out. A verifier that fails has not
 * agreed. Nodes and fleets end their checks here. Never rejects.
 */
export async function withLeader(
  beacon: Beacon,
  check: BeaconCheck,
  leader: LeaderCheck,
): Promise<BeaconVerdict> {
  const question = leaderQuestion(beacon, leader.masterPublicKey)
  const { microblockHash } = check
  const refused = (refusal: LeaderRefusal): BeaconVerdict => ({ ok: false, refusal, microblockHash })
  if (question === null) return leader.isRequired ? refused(LEADER_MISSING) : check
  if (leader.verify === undefined) return refused(LEADER_UNVERIFIED)
  const isLeaders = await Promise.resolve(question)
    .then(leader.verify)
    .catch(() => false)
  if (isLeaders !== true) return refused(LEADER_REFUSAL)
  leader.isRequired = true
  return check
}

const ANSWERS_KEPT = 1_024

/** A signature is no identifier, since others fit the same values, so the key is all that the answer depends on. */
const keyOf = (question: LeaderQuestion): string =>
  sha256Hex(JSON.stringify(question, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))

/** Asks each question once, however many miners have it; the newest 1,024 answers are kept. */
export function sharedLeaderChecks(verify: VerifyLeader): VerifyLeader {
  const answers = new Map<string, Promise<boolean>>()
  return (question) => {
    const key = keyOf(question)
    const answer = answers.get(key) ?? verify(question)
    answers.set(key, answer)
    // Only answers are kept.
    answer.catch(() => answers.delete(key))
    const [oldest] = answers.keys()
    if (answers.size > ANSWERS_KEPT && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}

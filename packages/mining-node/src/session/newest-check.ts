import { type Address, type Beacon, checkBeacon, type Hash, type VerifyText } from '@hailstone/protocol'
import { type BeaconVerdict, LEADER_REFUSAL, LEADER_UNVERIFIED } from './beacon-verdict.ts'
import type { SessionClock } from './clock.ts'
import { type LeaderQuestion, leaderQuestion, type MasterKey, type VerifyLeader } from './leader-check.ts'

/** A beacon on its way to the check, with the numbers the machine gave it. */
export type NumberedBeacon = {
  readonly connection: number
  readonly beaconNumber: number
  readonly beacon: Beacon
}

/** Checks the newest of the beacons it is given; what it had not begun is forgotten. */
export type NewestCheck = {
  readonly offer: (numbered: NumberedBeacon) => void
  readonly cancel: () => void
}

/** How a leader's signature is verified, and under which key. */
export type LeaderCheck = {
  readonly masterPublicKey: MasterKey
  /** Without it nothing that carries a signature is signed. */
  readonly verify?: VerifyLeader | undefined
}

/** Transactions found valid; several beacons of the largest size, then it begins anew. */
const VERIFIED_KEPT = 8_192

/**
 * Puts the check off until the frames at hand are read. A check costs a signature verification for each
 * transaction that is new, so a flood of beacons must not queue up checks that nobody can use; of the leader's
 * signature one is verified at a time.
 */
export function createNewestCheck(parameters: {
  readonly address: Address
  readonly verify?: VerifyText | undefined
  /** Absent where no master key is known, or where the check was turned off. */
  readonly leader?: LeaderCheck | undefined
  readonly clock: SessionClock
  readonly onChecked: (numbered: NumberedBeacon, check: BeaconVerdict) => void
}): NewestCheck {
  const { address, verify, leader, clock, onChecked } = parameters
  let newest: NumberedBeacon | null = null
  let cancel: (() => void) | null = null
  let isBusy = false
  const verified = new Set<Hash>()

  /** A verifier that fails has not agreed. */
  async function isSignedByLeader(question: LeaderQuestion): Promise<boolean> {
    try {
      return (await leader?.verify?.(question)) === true
    } catch {
      return false
    }
  }

  async function run(): Promise<void> {
    cancel = null
    const numbered = newest
    if (isBusy || numbered === null) return
    newest = null
    if (verified.size > VERIFIED_KEPT) verified.clear()
    const check = checkBeacon(numbered.beacon, { address, verify, verified })
    const question = check.ok && leader ? leaderQuestion(numbered.beacon, leader.masterPublicKey) : null
    if (question === null) return onChecked(numbered, check)
    const refusal = leader?.verify === undefined ? LEADER_UNVERIFIED : LEADER_REFUSAL
    isBusy = true
    const isValid = await isSignedByLeader(question)
    isBusy = false
    // Of a connection that was left it is nobody's any more: the machine knows by the numbers.
    onChecked(numbered, isValid ? check : { ok: false, refusal, microblockHash: check.microblockHash })
    if (cancel === null) void run()
  }

  return {
    offer: (numbered) => {
      newest = numbered
      cancel ??= clock.after(0, run)
    },
    cancel: () => {
      cancel?.()
      cancel = null
      newest = null
    },
  }
}

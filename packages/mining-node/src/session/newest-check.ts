import { type Address, type Beacon, checkBeacon, type Hash, type VerifyText } from '@hailstone/protocol'
import { type BeaconVerdict, LEADER_REFUSAL, LEADER_UNVERIFIED } from './beacon-verdict.ts'
import type { SessionClock } from './clock.ts'
import { leaderQuestion, type MasterKey, type VerifyLeader } from './leader-check.ts'

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
  let end: (() => void) | null = null
  let isBusy = false
  /** What was begun before a cancellation is nobody's any more. */
  let generation = 0
  const verified = new Set<Hash>()

  function run(): void {
    end = null
    if (isBusy) return
    const numbered = newest
    newest = null
    if (numbered === null) return
    if (verified.size > VERIFIED_KEPT) verified.clear()
    const check = checkBeacon(numbered.beacon, { address, verify, verified })
    const question = check.ok && leader ? leaderQuestion(numbered.beacon, leader.masterPublicKey) : null
    if (question === null) onChecked(numbered, check)
    else void decide(numbered, check, leader?.verify?.(question))
  }

  async function decide(
    numbered: NumberedBeacon,
    check: BeaconVerdict,
    answer: Promise<boolean> | undefined,
  ): Promise<void> {
    const begun = generation
    const { microblockHash } = check
    const refusal = answer === undefined ? LEADER_UNVERIFIED : LEADER_REFUSAL
    isBusy = true
    const isValid = await answer
    isBusy = false
    if (begun === generation)
      onChecked(numbered, isValid === true ? check : { ok: false, refusal, microblockHash })
    if (newest !== null && end === null) run()
  }

  return {
    offer: (numbered) => {
      newest = numbered
      end ??= clock.after(0, run)
    },
    cancel: () => {
      end?.()
      generation++
      newest = null
      end = null
    },
  }
}

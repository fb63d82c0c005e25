import {
  type Address,
  type Beacon,
  type BeaconCheck,
  checkBeaconInSteps,
  type Hash,
  type VerifiedHashes,
  type VerifyText,
} from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { BeaconVerdict } from './beacon-verdict.ts'
import type { SessionClock } from './clock.ts'
import { type LeaderCheck, withLeader } from './leader-check.ts'
import { CHECK_SLICE_MS, VERIFIED_KEPT, VERIFIES_WITHIN_MS } from './limits.ts'

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

/**
 * Verifies transactions of a long beacon elsewhere, the last ones first, and adds the hashes of those that are signed.
 * Called again after each slice of the check, which begins with the first ones; it starts no more than it needs until then.
 */
export type VerifyAhead = (beacon: Beacon, verified: VerifiedHashes) => void

/**
 * Puts the check off until the frames at hand are read. A check costs a signature verification for each
 * transaction that is new, so a flood of beacons must not queue up checks that nobody can use; of the leader's
 * signature one is verified at a time.
 */
export function createNewestCheck(parameters: {
  readonly address: Address
  readonly verify?: VerifyText | undefined
  /** @default none: every transaction is verified here */
  readonly verifyAhead?: VerifyAhead | undefined
  /** Absent where no master key is known, or where the check was turned off. */
  readonly leader?: LeaderCheck | undefined
  readonly clock: SessionClock
  readonly onChecked: (numbered: NumberedBeacon, check: BeaconVerdict) => void
}): NewestCheck {
  const { address, leader, clock, onChecked } = parameters
  const verify = parameters.verify && agreed(parameters.verify)
  let newest: NumberedBeacon | null = null
  let current: { readonly numbered: NumberedBeacon; readonly steps: Steps } | null = null
  let cancel: (() => void) | null = null
  /** A verifier of leaders that does not answer is waited for no longer. */
  let busyUntil = 0
  const verified = new Set<Hash>()

  const schedule = (): void => {
    cancel ??= clock.after(0, run)
  }

  function run(): void {
    cancel = null
    if (clock.now() < busyUntil) return
    if (newest !== null) {
      if (verified.size > VERIFIED_KEPT) verified.clear()
      const steps = checkBeaconInSteps(newest.beacon, { address, verify, verified })
      current = { numbered: newest, steps }
      newest = null
    }
    if (current === null) return
    const { numbered, steps } = current
    const end = clock.now() + CHECK_SLICE_MS
    let step = steps.next()
    // Not before the cheap checks: a signature is left to be verified.
    if (step.done !== true) parameters.verifyAhead?.(numbered.beacon, verified)
    while (step.done !== true && clock.now() < end) step = steps.next()
    if (step.done === true) {
      current = null
      void decide(numbered, step.value)
    } else schedule()
  }

  async function decide(numbered: NumberedBeacon, check: BeaconCheck): Promise<void> {
    if (!check.ok || leader === undefined) return onChecked(numbered, check)
    busyUntil = clock.now() + VERIFIES_WITHIN_MS
    const verdict = await withLeader(numbered.beacon, check, leader)
    busyUntil = 0
    // Of a connection that was left it is nobody's any more: the machine knows by the numbers.
    onChecked(numbered, verdict)
    if (newest !== null) schedule()
  }

  return {
    offer: (numbered) => {
      newest = numbered
      schedule()
    },
    cancel: () => {
      cancel?.()
      cancel = newest = current = null
    },
  }
}

/** A verifier of the program that throws, or answers anything but true, has not agreed. */
const agreed =
  (verify: VerifyText): VerifyText =>
  (question) => {
    let answer: unknown
    guarded(() => (answer = verify(question)))()
    return answer === true
  }

type Steps = ReturnType<typeof checkBeaconInSteps>

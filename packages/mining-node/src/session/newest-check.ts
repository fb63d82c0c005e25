import {
  type Address,
  type Beacon,
  type BeaconCheck,
  checkBeacon,
  type VerifyText,
} from '@hailstone/protocol'
import type { SessionClock } from './clock.ts'

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
 * Puts the check off until the frames at hand are read. A check costs a signature verification for each
 * transaction, so a flood of beacons must not queue up checks that nobody can use.
 */
export function createNewestCheck(parameters: {
  readonly address: Address
  readonly verify?: VerifyText | undefined
  readonly clock: SessionClock
  readonly onChecked: (numbered: NumberedBeacon, check: BeaconCheck) => void
}): NewestCheck {
  const { address, verify, clock, onChecked } = parameters
  let newest: NumberedBeacon | null = null
  let end: (() => void) | null = null

  function run(): void {
    const numbered = newest
    newest = null
    end = null
    if (numbered !== null) onChecked(numbered, checkBeacon(numbered.beacon, { address, verify }))
  }

  return {
    offer: (numbered) => {
      newest = numbered
      end ??= clock.after(0, run)
    },
    cancel: () => {
      end?.()
      newest = null
      end = null
    },
  }
}

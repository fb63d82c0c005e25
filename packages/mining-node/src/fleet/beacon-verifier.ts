import { type Address, type Beacon, type BeaconCheck, checkBeaconContent } from '@hailstone/protocol'
import type { BeaconVerdict } from '../session/beacon-verdict.ts'
import { type LeaderCheck, withLeader } from '../session/leader-check.ts'
import { createTransactionChecks, type VerifyMany } from './transaction-checks.ts'

/** One node's newest beacon on its way through the check. */
type BeaconCase = {
  readonly address: Address
  /** Takes the beacon out; null when the node has lost interest meanwhile. */
  readonly take: () => Beacon | null
  readonly onChecked: (check: BeaconVerdict) => void
}

type BeaconCounts = {
  /** Beacons that were checked, refused ones too. */
  readonly checked: number
  readonly transactionsHashed: number
  readonly signaturesVerified: number
}

/** Checks the beacons of all nodes of a process; what they share is done once. */
export type BeaconVerifier = {
  readonly offer: (waiting: BeaconCase) => void
  readonly counts: () => BeaconCounts
  readonly waiting: () => number
}

/** Longest time without looking at sockets and timers. */
const SLICE_MS = 8

/**
 * Decides for every node what `checkBeacon` of the protocol decides, in the same order. Between two slices of
 * work the process reads its sockets, so a node that got a newer beacon meanwhile is not bothered with the old.
 */
export function createBeaconVerifier(parameters: {
  readonly verify: VerifyMany
  /** Absent where no master key is known, or where the check was turned off. */
  readonly leader?: LeaderCheck | undefined
  readonly now?: (() => number) | undefined
  readonly later?: ((work: () => void) => void) | undefined
}): BeaconVerifier {
  const { verify, leader, now = () => performance.now(), later = setImmediate } = parameters
  const checks = createTransactionChecks(verify)
  let queue: BeaconCase[] = []
  let isScheduled = false
  let checked = 0

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    later(work)
  }

  function work(): void {
    isScheduled = false
    const cases = queue
    queue = []
    const end = now() + SLICE_MS
    let done = 0
    for (const waiting of cases) {
      done++
      decide(waiting)
      if (now() > end) break
    }
    queue = [...cases.slice(done), ...queue]
    if (queue.length > 0) schedule()
  }

  function decide({ address, take, onChecked }: BeaconCase): void {
    const beacon = take()
    if (beacon === null) return
    checked++
    const check = checkBeaconContent(beacon, address, (transactions) => {
      const { hashes, isMisstated } = checks.of(transactions)
      return isMisstated ? null : hashes
    })
    if (check.ok) void verdictOf(beacon, check).then(onChecked)
    else onChecked(check)
  }

  /** Verifies the senders' signatures, then the leader's. Never rejects. */
  async function verdictOf(beacon: Beacon, check: BeaconCheck): Promise<BeaconVerdict> {
    const { microblockHash, content } = beacon
    const areSigned = checks.of(content.transactions).areSigned()
    // Whoever cannot be asked has not agreed.
    if (!(await areSigned.catch(() => false)))
      return { ok: false, refusal: 'transactionSignatureNotValid', microblockHash }
    return leader === undefined ? check : withLeader(beacon, check, leader)
  }

  return {
    offer: (waiting) => {
      queue.push(waiting)
      schedule()
    },
    counts: () => {
      const { hashed, verified } = checks.counts()
      return { checked, transactionsHashed: hashed, signaturesVerified: verified }
    },
    waiting: () => queue.length,
  }
}

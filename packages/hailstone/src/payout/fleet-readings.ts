import { payoutReadings } from '@hailstone/mining-node/amounts'
import type { Fleet, FleetHealth } from '@hailstone/mining-node/fleet'
import type { Address } from '@hailstone/protocol'
import type { PayoutAccount } from './watch-payouts.ts'

/** Time for which the health of the fleet serves for its accounts, in ms: it has every node in it, and is read for each of them. */
const HEALTH_MS = 5_000

/**
 * Returns what selects the readings for a payout from what the fleet has read of an account; it returns null until the token is
 * known.
 */
export function fleetReadings(
  fleet: Pick<Fleet, 'health' | 'node'>,
  now: () => number = () => performance.now(),
): (address: Address) => ReturnType<PayoutAccount['read']> {
  let known: { readonly health: FleetHealth; readonly untilMs: number } | null = null
  return (address) => {
    if (known === null || now() >= known.untilMs)
      known = { health: fleet.health(), untilMs: now() + HEALTH_MS }
    const { tip, accounts } = known.health
    const coin = accounts?.stakes?.token
    const account = fleet.node(address)?.account
    if (!accounts || !coin || !account) return null
    const readings = payoutReadings({
      balance: account.balance,
      stakes: accounts.stakes,
      warnings: account.warnings,
      height: tip && { ...tip, value: tip.height, source: '', readAtMs: 0 },
      api: { status: 'reachable', why: '' },
    })
    return { tokenId: accounts.tokenId, coin, readings }
  }
}

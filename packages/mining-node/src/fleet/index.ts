/** Many miners in one process. Node only. */

export type { AccountTotals, AccountView } from './accounts-state.ts'
export { createFleet } from './create-fleet.ts'
export type { Fleet } from './fleet.ts'
export type { FleetEvent, FleetListener } from './fleet-events.ts'
export type { FleetHealth, FleetNodeView, FleetProblem, NodeStatus, RefusedKey } from './fleet-health.ts'
export type { FleetKeys, KeySequence } from './fleet-keys.ts'

export type { CreateFleetParameters } from './fleet-settings.ts'
export type { GatewayView } from './gateway-choice.ts'
export type { FleetReward, NamedFleetReward } from './rewards-of-macroblock.ts'
export type { FleetSigner, SigningCounts } from './signer-pool.ts'
export { type WatchFleetRewardsParameters, watchFleetRewards } from './watch-fleet-rewards.ts'

import type { ClientCore } from '@hailstone/client'
import type { Address, Hash } from '@hailstone/protocol'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import { assertFunction } from '../assert-listens.ts'
import { assertCursor, assertWatching } from '../check-arguments.ts'
import type { KeptAt } from '../cursors/kept-value.ts'
import type { OnError } from '../failure.ts'
import type { Watch } from '../watchers/watch-handle.ts'
import { followFleetRewards } from './fleet-rewards.ts'
import { keptJourney } from './journey-store.ts'
import type { NamedFleetReward } from './rewards-of-macroblock.ts'

/** Parameters of {@link watchFleetRewards}. */
export type WatchFleetRewardsParameters = {
  /** Asks the network; it is not closed with the watch. */
  readonly client: ClientCore
  /** Polls of the height, in ms. @default timed by the chain */
  readonly pollIntervalMs?: number | undefined
  /** Store and name of the place in the chain; one watch at a time. */
  readonly cursor: KeptAt
  /** True for an account of the fleet: rewards of others are passed over. */
  readonly isOurs: (account: Address) => boolean
  /** False while keys are still being read: until then no macroblock is passed. */
  readonly areAccountsKnown: () => boolean
  /**
   * Names a key block that was open soon after the watch began, such as that of the first `published` event of a fleet; undefined
   * until then. The first run begins with it. An API that is behind and goes on at an even pace passes for current
   * otherwise, and what was paid before is handed out.
   */
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
  /**
   * Takes each reward. The place moves on when all of a macroblock were taken; when one rejects, or the process ends
   * before, all of that macroblock are handed out again with the same ids.
   */
  readonly onReward: (reward: NamedFleetReward) => Promise<void>
  /** Takes each reward that was handed out and is on the chain no more, newest first. As `onReward` otherwise. */
  readonly onReverted: (reward: NamedFleetReward) => Promise<void>
  /** Called with each failed reading; the watch goes on by itself. */
  readonly onError?: OnError | undefined
}

const kinds: SettingKinds<WatchFleetRewardsParameters> = {
  client: true,
  pollIntervalMs: 'number',
  cursor: true,
  isOurs: 'function',
  areAccountsKnown: 'function',
  openKeyBlock: 'function',
  onReward: 'function',
  onReverted: 'function',
  onError: 'function',
}

function assertParameters(parameters: WatchFleetRewardsParameters): void {
  assertWatching(parameters, 'onReward')
  assertKinds('of a watch', parameters, kinds)
  for (const name of ['isOurs', 'areAccountsKnown', 'onReverted'] as const)
    assertFunction(parameters[name], name)
  assertCursor(Object(parameters.cursor))
}

/**
 * Follows the rewards of many accounts from run to run: what was paid while no process ran is handed out by the next
 * one, and what a chain that was reorganised meanwhile took is taken back. The first run begins with the key block that
 * is open then. The last 256 macroblocks are remembered, each in an entry of the store.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * const watch = watchFleetRewards({ client, cursor, isOurs, areAccountsKnown: () => true, onReward, onReverted })
 * await watch.stop() // when it is needed no more
 */
export function watchFleetRewards(parameters: WatchFleetRewardsParameters): Watch {
  assertParameters(parameters)
  const { cursor, ...given } = parameters
  return followFleetRewards({ ...given, store: keptJourney(cursor) })
}

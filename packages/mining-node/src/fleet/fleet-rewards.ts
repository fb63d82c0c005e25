import { type Client, getMacroblockOutline } from '@hailstone/client'
import { type Address, apiError, type Hash, type NodeError } from '@hailstone/protocol'
import { onDemand } from '../repeat.ts'
import { followTip, type ReadingPlace } from '../watchers/chain-tip.ts'
import { firstOpenBlock } from '../watchers/first-open-block.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import { type FleetReward, rewardsOfMacroblock } from './rewards-of-macroblock.ts'

/** Macroblocks whose rewards are remembered, for when they are taken back. */
export const REVERTIBLE_MACROBLOCKS = 256
/** Readings after which a macroblock that the network does not show is passed over. */
export const MAX_MISSING = 5
/**
 * Finds the rewards of all accounts of a fleet in what each macroblock paid: one question for each block in it, whatever
 * the number of accounts. Every macroblock from the one that was open at the beginning is looked through, also those
 * that went by while the API was away. What is kept does not grow with the number of accounts.
 */
export function followFleetRewards(parameters: {
  readonly client: Client
  readonly pollIntervalMs: number | undefined
  readonly isOurs: (account: Address) => boolean
  /** The key block of the first publication, which was open soon after the beginning. */
  readonly openKeyBlock: () => Hash | undefined
  readonly onReward: (reward: FleetReward) => void
  /** A delivered reward is no longer on the chain; newest first. */
  readonly onReverted: (reward: FleetReward) => void
  readonly onError: (error: NodeError) => void
}): Watch {
  const { client, pollIntervalMs, isOurs, onReward, onReverted, onError } = parameters
  const firstOpen = firstOpenBlock(parameters)
  /** By height; those without rewards are left out. */
  const reported = new Map<number, readonly FleetReward[]>()
  /** The lowest macroblock that was not looked through; null before it is known where to begin. */
  let next: number | null = null
  /** The newest that is calculated. */
  let reached = -1
  let partings = 0
  let missing = 0

  async function lookThrough(signal: AbortSignal): Promise<boolean> {
    if (next === null) {
      const place = tip.place()
      const open = await firstOpen(place, signal)
      if (open === undefined || place.at === null) return true
      next = open?.height ?? place.at.height + 1
    }
    for (let height = next; height <= reached && !signal.aborted; height = next) {
      const before = partings
      const rewards = await rewardsAt(tip.place(), height, signal)
      if (signal.aborted) return false
      // It was taken back meanwhile, or macroblocks below it were.
      if (before !== partings) continue
      missing = 0
      next = height + 1
      if (rewards.length > 0) reported.set(height, rewards)
      reported.delete(height - REVERTIBLE_MACROBLOCKS)
      for (const reward of rewards) onReward(reward)
    }
    return false
  }

  async function rewardsAt(
    place: ReadingPlace,
    height: number,
    signal: AbortSignal,
  ): Promise<readonly FleetReward[]> {
    const macroblock = await getMacroblockOutline(place.core, { height, signal })
    if (macroblock?.isCalculated === true) return rewardsOfMacroblock({ place, macroblock, isOurs, signal })
    const error = apiError('HEIGHT_UNAVAILABLE', { height })
    if (++missing < MAX_MISSING) throw error
    onError(error)
    return []
  }

  function takeBack(height: number): void {
    partings++
    reached = Math.min(reached, height - 1)
    if (next !== null) next = Math.min(next, height)
    const gone = reported.get(height) ?? []
    reported.delete(height)
    for (const reward of [...gone].reverse()) onReverted(reward)
  }

  const looking = onDemand({ client, pollIntervalMs, onError, task: lookThrough })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: ({ keyBlock: { height } }) => {
      reached = height
      // A chain that began anew has lower heights than were looked through.
      if (next !== null) next = Math.min(next, height)
      looking.trigger()
    },
    onReverted: ({ height }) => takeBack(height),
  })
  return watchHandle(tip.leave, looking.stop)
}

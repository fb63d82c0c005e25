import { type ClientCore, getMacroblockOutline, type MacroblockOutline } from '@hailstone/client'
import { type Address, apiError, type Hash } from '@hailstone/protocol'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import { assertFunction } from '../assert-listens.ts'
import { assertCursor, assertWatching } from '../check-arguments.ts'
import { type KeptAt, keptValue } from '../cursors/kept-value.ts'
import { callbackError, errorListener, type OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { followTip, type ReadingPlace } from '../watchers/chain-tip.ts'
import { firstOpenBlock } from '../watchers/first-open-block.ts'
import { rootOf } from '../watchers/read-chain.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import { MAX_MISSING, REVERTIBLE_MACROBLOCKS } from './fleet-rewards.ts'
import { type FleetReward, rewardsOfMacroblock } from './rewards-of-macroblock.ts'

/** A reward with a name of its own. */
export type NamedFleetReward = FleetReward & {
  /**
   * Made of the block that was paid for, the account, the kind and how often the chain had parted: the same in every
   * run, and another one when a reorganised chain books the same reward again.
   */
  readonly id: string
}

export type WatchFleetRewardsParameters = {
  readonly client: ClientCore
  /** Polls of the height, in ms. @default timed by the chain */
  readonly pollIntervalMs?: number | undefined
  /** Store and name of the place in the chain; one watch at a time. */
  readonly cursor: KeptAt
  readonly isOurs: (account: Address) => boolean
  /** False while keys are still being read: until then no macroblock is passed. */
  readonly areAccountsKnown: () => boolean
  /**
   * Takes each reward. The place moves on when all of a macroblock were taken; when one rejects, or the process ends
   * before, all of that macroblock are handed out again with the same ids.
   */
  readonly onReward: (reward: NamedFleetReward) => Promise<void>
  /** Takes each reward that was handed out and is on the chain no more, newest first. As `onReward` otherwise. */
  readonly onReverted: (reward: NamedFleetReward) => Promise<void>
  readonly onError?: OnError | undefined
}

const kinds: SettingKinds<WatchFleetRewardsParameters> = {
  client: true,
  pollIntervalMs: 'number',
  cursor: true,
  isOurs: 'function',
  areAccountsKnown: 'function',
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

type Place = {
  /** The lowest macroblock that was not looked through. */
  readonly next: number
  /** Macroblocks that were taken back so far. */
  readonly partings: number
  /** True while the rewards of the macroblock at `next` are told to be gone. */
  readonly isLeaving: boolean
}

/** A macroblock that was looked through. */
type Passed = {
  readonly height: number
  readonly hash: Hash
  readonly root: Hash
  readonly rewards: readonly NamedFleetReward[]
}

/** Of a macroblock that was taken back. */
const NO_HEIGHT = -1

/**
 * Follows the rewards of many accounts from run to run: what was paid while no process ran is handed out by the next
 * one, and what a chain that was reorganised meanwhile took is taken back. The first run begins with the key block that
 * is open then. The last 256 macroblocks are remembered, each in an entry of the store.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function watchFleetRewards(parameters: WatchFleetRewardsParameters): Watch {
  assertParameters(parameters)
  const { client, pollIntervalMs, cursor, isOurs, areAccountsKnown, onReward, onReverted, onError } =
    parameters
  const kept = keptValue<Place>(cursor)
  const firstOpen = firstOpenBlock({ client })
  let place: Place | null = null
  /** The newest that is calculated. */
  let reached = -1
  /** The lowest that the chain took back since that was last looked at. */
  let partedAt = Number.POSITIVE_INFINITY
  let missing = 0
  /** The newest macroblock that was calculated when the watch began. */
  let begunAbove: number | null = null

  const passedAt = (height: number) =>
    keptValue<Passed>({ ...cursor, name: `${cursor.name}-${height % REVERTIBLE_MACROBLOCKS}` })

  async function passed(height: number): Promise<Passed | null> {
    const found = await passedAt(height).read()
    return found?.height === height ? found : null
  }

  async function move(to: Place): Promise<void> {
    await kept.write(to)
    place = to
  }

  async function begin(signal: AbortSignal): Promise<Place | null> {
    const stored = await kept.read()
    if (stored !== null) return stored
    const at = tip.place()
    const open = await firstOpen(at, signal)
    if (open === undefined || at.at === null) return null
    const next = Math.min(open?.height ?? at.at.height + 1, (begunAbove ?? at.at.height) + 1)
    const first = { next, partings: 0, isLeaving: false }
    await move(first)
    return first
  }

  async function look(signal: AbortSignal): Promise<boolean> {
    place ??= await begin(signal)
    if (place === null || !(await areAccountsKnown())) return true
    if (place.isLeaving) await leave(place)
    while (!signal.aborted) {
      const { next }: Place = place
      const begun = await passed(next)
      if (begun !== null) {
        await finish(place, begun)
        continue
      }
      if (next > partedAt) {
        await takeBack(place)
        continue
      }
      partedAt = Number.POSITIVE_INFINITY
      if (next > reached) return false
      await pass(place, tip.place(), signal)
    }
    return false
  }

  async function pass(from: Place, at: ReadingPlace, signal: AbortSignal): Promise<void> {
    const { next: height, partings } = from
    const macroblock = await getMacroblockOutline(at.core, { height, signal })
    if (macroblock?.isCalculated !== true) {
      const error = apiError('HEIGHT_UNAVAILABLE', { height })
      if (++missing < MAX_MISSING) throw error
      errorListener(parameters)(error)
      missing = 0
      return move({ ...from, next: height + 1 })
    }
    if (!(await isBuiltOnPassed(macroblock, at, signal))) return takeBack(from)
    const counts = new Map<string, number>()
    const rewards = (await rewardsOfMacroblock({ place: at, macroblock, isOurs, signal })).map((reward) => {
      const name = [reward.recordHash, reward.address, reward.recordType].join(':')
      const nth = counts.get(name) ?? 0
      counts.set(name, nth + 1)
      return { ...reward, id: `${name}:${nth}:${partings}` }
    })
    // It was taken back meanwhile, or macroblocks below it were.
    if (signal.aborted || partedAt <= height) return
    missing = 0
    const { hash } = macroblock.keyBlock
    const found = { height, hash, root: rootOf(macroblock), rewards }
    // Before anything is told: what a run that is killed has told is finished by the next one, and can be taken back.
    await passedAt(height).write(found)
    await finish(from, found)
  }

  async function finish(from: Place, { height, rewards }: Passed): Promise<void> {
    for (const reward of rewards) await told('rewarded', onReward, reward)
    await move({ ...from, next: height + 1 })
  }

  /** False if the chain parted below, also while no process looked. */
  async function isBuiltOnPassed(
    { keyBlock: { height: above, link, merkleRoot: named } }: MacroblockOutline,
    { core }: ReadingPlace,
    signal: AbortSignal,
  ): Promise<boolean> {
    const height = above - 1
    const below = await passed(height)
    if (below === null || (below.hash === link && (named === '' || below.root === named))) return true
    const now = await getMacroblockOutline(core, { height, signal })
    if (now === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height })
    if (now.keyBlock.hash !== below.hash || rootOf(now) !== below.root) return false
    // A root that does not fit may be of a snapshot, or of the rule before the second fork (PROTOCOL 4.4).
    if (below.hash === link) return true
    const reason = 'the macroblock that is built on it is not'
    throw apiError('CHAIN_INCONSISTENT', { height, reason })
  }

  /** Takes the newest macroblock back that was looked through. */
  async function takeBack({ next, partings }: Place): Promise<void> {
    const leaving = { next: next - 1, partings: partings + 1, isLeaving: true }
    // Before anything is told: a chain that parts again, and back, does not hide that some of it was.
    await move(leaving)
    await leave(leaving)
  }

  async function leave(leaving: Place): Promise<void> {
    const gone = await passed(leaving.next)
    if (gone !== null) {
      for (const reward of [...gone.rewards].reverse()) await told('reverted', onReverted, reward)
      await passedAt(leaving.next).write({ ...gone, height: NO_HEIGHT, rewards: [] })
    }
    await move({ ...leaving, isLeaving: false })
  }

  async function told(
    event: string,
    listener: (reward: NamedFleetReward) => Promise<void>,
    reward: NamedFleetReward,
  ): Promise<void> {
    try {
      await listener(reward)
    } catch (cause) {
      throw callbackError(event, cause)
    }
  }

  const looking = onDemand({ client, pollIntervalMs, onError, task: look })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: ({ keyBlock: { height } }) => {
      reached = height
      begunAbove ??= height
      looking.trigger()
    },
    onReverted: ({ height }) => {
      reached = Math.min(reached, height - 1)
      partedAt = Math.min(partedAt, height)
      looking.trigger()
    },
  })
  begunAbove ??= tip.place().at?.height ?? null
  return watchHandle(tip.leave, looking.stop)
}

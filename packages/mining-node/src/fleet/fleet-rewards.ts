import { type ClientCore, getMacroblockOutline, type PinnedCore, pinnedCore } from '@hailstone/client'
import { type Address, apiError, type Hash, isNodeError } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { callbackError, errorListener, type OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { assertOrigin } from '../watchers/assert-origin.ts'
import { followTip, type ReadingPlace } from '../watchers/chain-tip.ts'
import { type Began, firstOpenBlock } from '../watchers/first-open-block.ts'
import { ABSENT } from '../watchers/not-there.ts'
import { type ChainLink, rootOf } from '../watchers/read-chain.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import type { Begun, JourneyStore, Passed, Place } from './journey-store.ts'
import { askForStanding, calculatedAt, createIsBuiltOn, type IsBuiltOn } from './passed-macroblock.ts'
import {
  askForPresent,
  type FleetReward,
  type NamedFleetReward,
  rewardsOfMacroblock,
} from './rewards-of-macroblock.ts'

export type FollowFleetRewardsParameters = Began & {
  readonly client: ClientCore
  readonly pollIntervalMs?: number | undefined
  /** Of the place in the chain; one journey at a time. */
  readonly store: JourneyStore
  readonly isOurs: (account: Address) => boolean
  /** False while keys are still being read: until then no macroblock is passed. */
  readonly areAccountsKnown: () => boolean
  /** The key block of the first publication, which was open soon after the beginning. */
  readonly openKeyBlock?: (() => Hash | undefined) | undefined
  /** Takes each reward; the place moves on when all of a macroblock were taken. */
  readonly onReward: (reward: NamedFleetReward) => unknown
  /** Takes each reward that was handed out and is on the chain no more, newest first. */
  readonly onReverted: (reward: NamedFleetReward) => unknown
  readonly onError?: OnError | undefined
}

/** What was seen of the chain. */
type Seen = {
  /** The newest macroblock that is calculated; -1 before one was seen. */
  readonly reached: number
  /** The newest that was calculated when the journey began; null before one was seen. */
  readonly begunAbove: number | null
  /** The lowest that the chain took back since the journey was last below it. */
  readonly partedAt: number
}

const NOWHERE = Number.POSITIVE_INFINITY

const withCalculated = ({ begunAbove, partedAt }: Seen, height: number): Seen => ({
  reached: height,
  begunAbove: begunAbove ?? height,
  // A chain that began anew has lower heights than those that were taken back.
  partedAt: partedAt === NOWHERE ? NOWHERE : Math.min(partedAt, height),
})

const withReverted = ({ reached, begunAbove, partedAt }: Seen, height: number): Seen => ({
  reached: Math.min(reached, height - 1),
  begunAbove,
  partedAt: Math.min(partedAt, height),
})

/** What comes next; `finish` tells the rest of a macroblock whose rewards were not all told. */
function nextStep({ partedAt, reached }: Seen, { next }: Place, begun: Passed | null) {
  if (begun !== null) return 'finish'
  if (next > partedAt) return 'takeBack'
  return next > reached ? 'wait' : 'pass'
}

/** True if nothing that was passed is left. */
const isAtBeginning = ({ next, begun }: Place): boolean => begun !== undefined && next <= begun.height

/** The same name in every run, as long as the chain has parted as often. */
function named(rewards: readonly FleetReward[], partings: number): readonly NamedFleetReward[] {
  const counts = new Map<string, number>()
  return rewards.map((reward) => {
    const name = [reward.recordHash, reward.address, reward.recordType].join(':')
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    return { ...reward, id: `${name}:${nth}:${partings}` }
  })
}

/** Hands out what is of one macroblock, each in turn. @throws {NodeError} `LISTENER_FAILED` */
async function tell(
  event: string,
  listener: (reward: NamedFleetReward) => unknown,
  rewards: readonly NamedFleetReward[],
): Promise<void> {
  for (const reward of rewards) {
    try {
      await listener(reward)
    } catch (cause) {
      throw callbackError(event, cause)
    }
  }
}

/** A chain that ends more macroblocks than this below one that was passed began anew; a fork is not that deep. */
const DEEPEST_FORK = 10

type Found = Omit<Passed, 'rewards'> & { readonly rewards: readonly FleetReward[] }

/** Reads a macroblock and what it paid; null if the chain parted below it. */
async function lookThrough(parameters: {
  readonly place: ReadingPlace
  readonly height: number
  /** As it was passed; null if that is not remembered. */
  readonly below: Passed | null
  readonly isBuiltOn: IsBuiltOn
  readonly isOurs: (account: Address) => boolean
  readonly signal: AbortSignal
}): Promise<Found | null> {
  const { place, height, below, isBuiltOn, isOurs, signal } = parameters
  const macroblock = await calculatedAt(place, height, signal)
  if (!(await isBuiltOn(below, macroblock, place, signal))) return null
  const rewards = await rewardsOfMacroblock({ place, macroblock, isOurs, signal })
  return { height, hash: macroblock.keyBlock.hash, root: rootOf(macroblock), rewards }
}

const isNotThere = (error: unknown): boolean =>
  isNodeError(error, 'HEIGHT_UNAVAILABLE') ||
  (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404)

/** Asks the node that the place on the chain comes from; once that has failed, the best of all until one has answered. */
function createReading(client: ClientCore, placeNow: () => ReadingPlace) {
  let hasFailed = false
  return async <T>(read: (place: ReadingPlace) => Promise<T>): Promise<T> => {
    const now = placeNow()
    const core = hasFailed ? pinnedCore(client) : now.core
    const { source } = core
    try {
      const found = await read({ ...now, core, stamp: () => ({ ...now.stamp(), source }) })
      hasFailed = false
      return found
    } catch (error) {
      hasFailed = true
      if (isNotThere(error)) client.transport.distrust?.(source)
      throw error
    }
  }
}

/** Macroblocks that may have followed the first one of a journey when it began: its place was a moment old. */
const LATENESS_BLOCKS = 4

/** Answers without the open key block, of nodes that are behind, before its time is unknown: the first five at once. */
const ASKED_OPEN = 10
const ASKED_AT_ONCE = 5
const PAUSE_MS = 1_000

/** No key block is later: the journey does not go below its beginning. */
const UNKNOWN_MS = Number.MAX_SAFE_INTEGER

/**
 * Returns where a journey begins: at the macroblock of the key block which was open then, or at a lower one that was
 * calculated since and may have been open. Null while the place on the chain is not known.
 */
function createBeginning({
  client,
  openKeyBlock,
  beganAtMs = client.clock.monotonicMs(),
}: Pick<FollowFleetRewardsParameters, 'client' | 'openKeyBlock' | 'beganAtMs'>) {
  const { monotonicMs } = client.clock
  const firstOpen = firstOpenBlock({ client, openKeyBlock, beganAtMs })
  return async (place: ReadingPlace, seen: Seen, signal: AbortSignal): Promise<Begun | null> => {
    const { core, at } = place
    const open = await firstOpen(place, signal)
    if (open === undefined || at === null) return null
    const found = open?.height ?? at.height + 1
    const seenOpen = (seen.begunAbove ?? at.height) + 1
    // What was seen then may be old: a macroblock was closed where the key block above it is dated before the beginning.
    const began = at.timeMs - (monotonicMs() - beganAtMs)
    for (let height = seenOpen; height < found && height < seenOpen + LATENESS_BLOCKS; height++) {
      const ask = () => getMacroblockOutline(core, { height: height + 1, signal })
      // A node that is behind does not have what another one has shown.
      const next = height < at.height ? await askForPresent(height + 1, ask) : await ask()
      // What was mined since its key block belongs to it, or to what a fork puts in its place.
      if (next === undefined) return { height, openMs: place.timeAt(height) ?? UNKNOWN_MS }
      const { timeMs } = next.keyBlock
      // Where the chain parted since, it is only known by the time that has passed.
      if (timeMs > began) {
        const openMs = seen.partedAt > height ? Math.max(timeMs - 1, place.timeAt(height) ?? 0) : began
        return { height, openMs }
      }
    }
    const openMs =
      found <= at.height
        ? (place.timeAt(found) ?? open?.timeMs ?? UNKNOWN_MS)
        : await openTimeAbove(core, at, signal)
    return openMs === null ? null : { height: found, openMs }
  }
}

/** Returns the time of the open key block; null if it is built on another macroblock: the chain is parting. */
async function openTimeAbove(core: PinnedCore, at: ChainLink, signal: AbortSignal): Promise<number | null> {
  let isOther = false
  for (let asked = 0; asked < ASKED_OPEN; asked++) {
    if (asked >= ASKED_AT_ONCE) await core.clock.sleep(PAUSE_MS, signal)
    const shown = await getMacroblockOutline(core, { height: at.height + 1, signal })
    if (shown === undefined) continue
    if (shown.keyBlock.link === at.hash) return shown.keyBlock.timeMs
    isOther = true
  }
  return isOther ? null : UNKNOWN_MS
}

/**
 * Finds the rewards of many accounts in what each macroblock paid: one question for each block in it, whatever the number
 * of accounts. Every macroblock from the one that was open at the beginning is looked through, also those that went by
 * while the API was away; one that no node shows, or shows in part, is asked for again after growing pauses, and the
 * failure reported. What the store remembers of rewards is told to be gone when their macroblock is.
 */
export function followFleetRewards(parameters: FollowFleetRewardsParameters): Watch {
  const { client, pollIntervalMs, store, isOurs, areAccountsKnown, onReward, onReverted, onError } =
    parameters
  const beginning = createBeginning(parameters)
  const isBuiltOn = createIsBuiltOn()
  let seen: Seen = { reached: -1, begunAbove: null, partedAt: NOWHERE }
  let place: Place | null = null
  /** The claim that macroblocks below those of the poll cannot be read. */
  let unreachable: Claim | null = null

  async function move(to: Place): Promise<void> {
    await store.move(to)
    place = to
  }

  async function begin(signal: AbortSignal): Promise<Place | null> {
    const stored = await store.place()
    if (stored !== null) return stored
    const begun = await beginning(tip.place(), seen, signal)
    if (begun === null) return null
    await move({ next: begun.height, partings: 0, isLeaving: false, begun })
    return place
  }

  /**
   * Goes to where the journey began on the chain as it is now: down, where a fork took the place of the beginning, and up, where
   * the chain is back as it was before. The poll reports what was replaced as far as it remembers, and nothing of what happened
   * while no process looked. False while the chain has not come to the place.
   */
  async function isBeginningFound(
    from: Place,
    signal: AbortSignal,
    progressed: () => void,
  ): Promise<boolean> {
    const { begun, next } = from
    const { at } = tip.place()
    if (begun === undefined) return true
    if (at === null || at.height < next) return false
    let height = next
    for (; height > 0 && !signal.aborted; height--) {
      await reachDown(height, signal, progressed)
      if ((await timeAt(height, signal)) <= begun.openMs) break
    }
    // Two key blocks can be of the same second.
    const isOld = (one: number) => (tip.place().timeAt(one + 1) ?? UNKNOWN_MS) < begun.openMs
    if (begun.openMs < UNKNOWN_MS) while (height < at.height && isOld(height)) height++
    if (height !== next && !signal.aborted) await move({ ...from, next: height, begun: { ...begun, height } })
    return !signal.aborted
  }

  /** Time of a key block of the chain that is followed; below what the poll can reach, as one node shows it. */
  async function timeAt(height: number, signal: AbortSignal): Promise<number> {
    const ask = () => reading(({ core }) => getMacroblockOutline(core, { height, signal }))
    return tip.place().timeAt(height) ?? (await askForPresent(height, ask)).keyBlock.timeMs
  }

  async function look(signal: AbortSignal, progressed: () => void): Promise<boolean> {
    place ??= await begin(signal)
    if (place === null || !(await areAccountsKnown())) return true
    if (place.isLeaving) await leave(place)
    while (!signal.aborted) {
      const begun = await store.passed(place.next)
      // What is being handed out is finished first, and taken back if it is gone.
      const isAnywhere =
        begun === null && isAtBeginning(place) && !(await isBeginningFound(place, signal, progressed))
      const from: Place = place
      const step = nextStep(seen, from, begun)
      if (step === 'finish' && begun !== null) await finish(from, begun)
      else if (step === 'takeBack') {
        await reachDown(seen.partedAt, signal, progressed)
        if (!(await takeBackGone(from, signal))) return false
      } else {
        seen = { ...seen, partedAt: NOWHERE }
        // An API that is behind, or a chain that began anew while no process looked.
        if (step === 'wait' && from.next > seen.reached + 1)
          throw apiError('HEIGHT_UNAVAILABLE', { height: from.next - 1 })
        if (step === 'wait') return false
        // The chain grew meanwhile.
        if (isAnywhere) return true
        await reachDown(from.next - 1, signal, progressed)
        await pass(from, signal)
      }
      if (place.next > from.next) progressed()
    }
    return false
  }

  /**
   * Reads the macroblocks between this journey and those that the poll remembers, so that `stands` can tell each of them
   * from one of a fork. After five failures over five minutes, such as for a macroblock that no node has, the journey goes
   * on without them.
   */
  async function reachDown(height: number, signal: AbortSignal, progressed: () => void): Promise<void> {
    try {
      await reading(({ core, reach }) => reach(core, height, signal, progressed))
      unreachable = null
    } catch (error) {
      unreachable = repeated(unreachable, { source: client.apiUrl, atMs: client.clock.monotonicMs() })
      if (!isProved(unreachable, ABSENT)) throw error
    }
  }

  async function pass(from: Place, signal: AbortSignal): Promise<void> {
    const { next: height, partings } = from
    const below = await store.passed(height - 1)
    const found = await reading((at) => lookThrough({ place: at, height, below, isBuiltOn, isOurs, signal }))
    if (found === null) return takeBack(from)
    // It was taken back meanwhile, or macroblocks below it were.
    if (signal.aborted || seen.partedAt <= height) return
    // Nothing below it was passed that could tell: it is of the chain on which the beginning was looked for.
    const chain = tip.place()
    if (isAtBeginning(from) && chain.timeAt(height) !== undefined && chain.stands(found) !== true)
      throw apiError('CHAIN_INCONSISTENT', { height, reason: 'another one is followed' })
    const passed = { ...found, rewards: named(found.rewards, partings) }
    // Before anything is told: what a run that is killed has told is finished by the next one, and can be taken back.
    await store.pass(passed)
    await finish(from, passed)
  }

  async function finish(from: Place, { height, rewards }: Passed): Promise<void> {
    await tell('rewarded', onReward, rewards)
    await move({ ...from, next: height + 1 })
  }

  /**
   * Takes back what is gone since the chain parted: all from the lowest macroblock in whose place another one is seen. The
   * chain may have parted before they were looked through, and be seen to only now. False while the chain has yet to
   * grow to where that shows.
   */
  async function takeBackGone(from: Place, signal: AbortSignal): Promise<boolean> {
    const { partedAt } = seen
    let [gone, isOpen] = [NOWHERE, false]
    for (let height = from.next - 1; height >= partedAt; height--) {
      const stands = await standsAt(height, isOpen, signal)
      if (stands === true) break
      if (stands === false) gone = height
      isOpen = stands === null
    }
    if (gone < NOWHERE) await reading(({ core }) => assertOrigin(core, signal))
    if (signal.aborted || seen.partedAt !== partedAt) return true
    for (let at: Place = from; at.next > gone && !signal.aborted; at = place ?? at) await takeBack(at)
    // It may have parted again meanwhile.
    if (!isOpen && seen.partedAt === partedAt) seen = { ...seen, partedAt: NOWHERE }
    return !isOpen
  }

  /** Null while it is not known. `isOpen` is true if it is not known of the macroblock above. */
  async function standsAt(height: number, isOpen: boolean, signal: AbortSignal): Promise<boolean | null> {
    const passed = await store.passed(height)
    const { at, stands } = tip.place()
    // It is from before the beginning, or too long ago, and goes with those above it.
    if (passed === null) return isOpen && height - (at?.height ?? height) <= DEEPEST_FORK ? null : false
    const known = stands(passed)
    // It is below what the chain is remembered of.
    if (known === null && at !== null && height < at.height)
      return (await reading((place) => askForStanding(passed, place, signal))) !== 'gone'
    return known
  }

  /** Takes the newest macroblock back that was looked through. */
  async function takeBack(from: Place): Promise<void> {
    const next = from.next - 1
    const begun = from.begun && { ...from.begun, height: Math.min(from.begun.height, next) }
    const leaving = { next, partings: from.partings + 1, isLeaving: true, begun }
    // Before anything is told: a chain that parts again, and back, does not hide that some of it was.
    await move(leaving)
    await leave(leaving)
  }

  async function leave(leaving: Place): Promise<void> {
    const gone = await store.passed(leaving.next)
    if (gone !== null) {
      await tell('reverted', onReverted, [...gone.rewards].reverse())
      await store.takeBack(gone)
    }
    await move({ ...leaving, isLeaving: false })
  }

  const looking = onDemand({ client, pollIntervalMs, onError, task: look })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: ({ keyBlock: { height } }) => {
      seen = withCalculated(seen, height)
      looking.trigger()
    },
    onReverted: ({ height }) => {
      seen = withReverted(seen, height)
      looking.trigger()
    },
    onError: (error) => {
      if (isNodeError(error, 'NETWORK_MISMATCH')) errorListener({ client, onError })(error)
    },
  })
  const reading = createReading(client, tip.place)
  // A chain that others follow is known already.
  seen = { ...seen, begunAbove: seen.begunAbove ?? tip.place().at?.height ?? null }
  return watchHandle(tip.leave, looking.stop)
}

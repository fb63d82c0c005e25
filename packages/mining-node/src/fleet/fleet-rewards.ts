import { type ClientCore, getMacroblockOutline, pinnedCore } from '@hailstone/client'
import { type Address, apiError, isNodeError } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { callbackError, errorListener, type OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { assertOrigin } from '../watchers/assert-origin.ts'
import { followTip, type ReadingPlace } from '../watchers/chain-tip.ts'
import { ABSENT } from '../watchers/not-there.ts'
import { rootOf } from '../watchers/read-chain.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import {
  type BeginningParameters,
  type BeginningSeen,
  createBeginning,
  UNKNOWN_MS,
} from './journey-beginning.ts'
import type { JourneyStore, Passed, Place } from './journey-store.ts'
import { askForStanding, calculatedAt, createIsBuiltOn, type IsBuiltOn } from './passed-macroblock.ts'
import {
  askForPresent,
  type FleetReward,
  type NamedFleetReward,
  rewardsOfMacroblock,
} from './rewards-of-macroblock.ts'

export type FollowFleetRewardsParameters = BeginningParameters & {
  readonly pollIntervalMs?: number | undefined
  /** Of the place in the chain; one journey at a time. */
  readonly store: JourneyStore
  readonly isOurs: (account: Address) => boolean
  /** False while keys are still being read: until then no macroblock is passed. */
  readonly areAccountsKnown: () => boolean
  /** Takes each reward; the place moves on when all of a macroblock were taken. */
  readonly onReward: (reward: NamedFleetReward) => unknown
  /** Takes each reward that was handed out and is on the chain no more, newest first. */
  readonly onReverted: (reward: NamedFleetReward) => unknown
  readonly onError?: OnError | undefined
}

/** What was seen of the chain. */
type Seen = BeginningSeen & {
  /** The newest macroblock that is calculated; -1 before one was seen. */
  readonly reached: number
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

/** Looks macroblocks through from a place on, hands out what they paid, and takes back what a fork took. */
class RewardJourney {
  readonly #parameters: FollowFleetRewardsParameters
  readonly #beginning: ReturnType<typeof createBeginning>
  readonly #isBuiltOn = createIsBuiltOn()
  readonly #placeNow: () => ReadingPlace
  readonly #reading: ReturnType<typeof createReading>
  #seen: Seen = { reached: -1, begunAbove: null, partedAt: NOWHERE }
  #place: Place | null = null
  /** The claim that macroblocks below those of the poll cannot be read. */
  #unreachable: Claim | null = null

  constructor(parameters: FollowFleetRewardsParameters, placeNow: () => ReadingPlace) {
    this.#parameters = parameters
    this.#beginning = createBeginning(parameters)
    this.#placeNow = placeNow
    this.#reading = createReading(parameters.client, placeNow)
  }

  /** A macroblock is calculated. */
  calculated(height: number): void {
    this.#seen = withCalculated(this.#seen, height)
  }

  /** A macroblock is on the chain no more. */
  reverted(height: number): void {
    this.#seen = withReverted(this.#seen, height)
  }

  /** A chain that others follow is known already. */
  knows({ at }: ReadingPlace): void {
    this.#seen = { ...this.#seen, begunAbove: this.#seen.begunAbove ?? at?.height ?? null }
  }

  async #move(to: Place): Promise<void> {
    await this.#parameters.store.move(to)
    this.#place = to
  }

  async #begin(signal: AbortSignal): Promise<Place | null> {
    const stored = await this.#parameters.store.place()
    if (stored !== null) return stored
    const begun = await this.#beginning(this.#placeNow(), this.#seen, signal)
    if (begun === null) return null
    await this.#move({ next: begun.height, partings: 0, isLeaving: false, begun })
    return this.#place
  }

  /**
   * Goes to where the journey began on the chain as it is now: down, where a fork took the place of the beginning, and up, where
   * the chain is back as it was before. The poll reports what was replaced as far as it remembers, and nothing of what happened
   * while no process looked. False while the chain has not come to the place.
   */
  async #isBeginningFound(from: Place, signal: AbortSignal, progressed: () => void): Promise<boolean> {
    const { begun, next } = from
    const { at } = this.#placeNow()
    if (begun === undefined) return true
    if (at === null || at.height < next) return false
    let height = next
    for (; height > 0 && !signal.aborted; height--) {
      await this.#reachDown(height, signal, progressed)
      if ((await this.#timeAt(height, signal)) <= begun.openMs) break
    }
    // Two key blocks can be of the same second.
    const isOld = (one: number) => (this.#placeNow().timeAt(one + 1) ?? UNKNOWN_MS) < begun.openMs
    if (begun.openMs < UNKNOWN_MS) while (height < at.height && isOld(height)) height++
    if (height !== next && !signal.aborted)
      await this.#move({ ...from, next: height, begun: { ...begun, height } })
    return !signal.aborted
  }

  /** Time of a key block of the chain that is followed; below what the poll can reach, as one node shows it. */
  async #timeAt(height: number, signal: AbortSignal): Promise<number> {
    const ask = () => this.#reading(({ core }) => getMacroblockOutline(core, { height, signal }))
    return this.#placeNow().timeAt(height) ?? (await askForPresent(height, ask)).keyBlock.timeMs
  }

  /** Goes on as far as the chain was seen. Resolves to true when it has to be asked again. */
  async look(signal: AbortSignal, progressed: () => void): Promise<boolean> {
    this.#place ??= await this.#begin(signal)
    if (this.#place === null || !(await this.#parameters.areAccountsKnown())) return true
    if (this.#place.isLeaving) await this.#leave(this.#place)
    while (!signal.aborted) {
      const begun = await this.#parameters.store.passed(this.#place.next)
      // What is being handed out is finished first, and taken back if it is gone.
      const isAnywhere =
        begun === null &&
        isAtBeginning(this.#place) &&
        !(await this.#isBeginningFound(this.#place, signal, progressed))
      const from: Place = this.#place
      const step = nextStep(this.#seen, from, begun)
      if (step === 'finish' && begun !== null) await this.#finish(from, begun)
      else if (step === 'takeBack') {
        await this.#reachDown(this.#seen.partedAt, signal, progressed)
        if (!(await this.#takeBackGone(from, signal))) return false
      } else {
        this.#seen = { ...this.#seen, partedAt: NOWHERE }
        // An API that is behind, or a chain that began anew while no process looked.
        if (step === 'wait' && from.next > this.#seen.reached + 1)
          throw apiError('HEIGHT_UNAVAILABLE', { height: from.next - 1 })
        if (step === 'wait') return false
        // The chain grew meanwhile.
        if (isAnywhere) return true
        await this.#reachDown(from.next - 1, signal, progressed)
        await this.#pass(from, signal)
      }
      if (this.#place.next > from.next) progressed()
    }
    return false
  }

  /**
   * Reads the macroblocks between this journey and those that the poll remembers, so that `stands` can tell each of them
   * from one of a fork. After five failures over five minutes, such as for a macroblock that no node has, the journey goes
   * on without them.
   */
  async #reachDown(height: number, signal: AbortSignal, progressed: () => void): Promise<void> {
    const { apiUrl, clock } = this.#parameters.client
    try {
      await this.#reading(({ core, reach }) => reach(core, height, signal, progressed))
      this.#unreachable = null
    } catch (error) {
      this.#unreachable = repeated(this.#unreachable, { source: apiUrl, atMs: clock.monotonicMs() })
      if (!isProved(this.#unreachable, ABSENT)) throw error
    }
  }

  async #pass(from: Place, signal: AbortSignal): Promise<void> {
    const { next: height, partings } = from
    const below = await this.#parameters.store.passed(height - 1)
    const found = await this.#reading((at) =>
      lookThrough({
        place: at,
        height,
        below,
        isBuiltOn: this.#isBuiltOn,
        isOurs: this.#parameters.isOurs,
        signal,
      }),
    )
    if (found === null) return this.#takeBack(from)
    // It was taken back meanwhile, or macroblocks below it were.
    if (signal.aborted || this.#seen.partedAt <= height) return
    // Nothing below it was passed that could tell: it is of the chain on which the beginning was looked for.
    const chain = this.#placeNow()
    if (isAtBeginning(from) && chain.timeAt(height) !== undefined && chain.stands(found) !== true)
      throw apiError('CHAIN_INCONSISTENT', { height, reason: 'another one is followed' })
    const passed = { ...found, rewards: named(found.rewards, partings) }
    // Before anything is told: what a run that is killed has told is finished by the next one, and can be taken back.
    await this.#parameters.store.pass(passed)
    await this.#finish(from, passed)
  }

  async #finish(from: Place, { height, rewards }: Passed): Promise<void> {
    await tell('rewarded', this.#parameters.onReward, rewards)
    await this.#move({ ...from, next: height + 1 })
  }

  /**
   * Takes back what is gone since the chain parted: all from the lowest macroblock in whose place another one is seen. The
   * chain may have parted before they were looked through, and be seen to only now. False while the chain has yet to
   * grow to where that shows.
   */
  async #takeBackGone(from: Place, signal: AbortSignal): Promise<boolean> {
    const { partedAt } = this.#seen
    let [gone, isOpen] = [NOWHERE, false]
    for (let height = from.next - 1; height >= partedAt; height--) {
      const stands = await this.#standsAt(height, isOpen, signal)
      if (stands === true) break
      if (stands === false) gone = height
      isOpen = stands === null
    }
    if (gone < NOWHERE) await this.#reading(({ core }) => assertOrigin(core, signal))
    if (signal.aborted || this.#seen.partedAt !== partedAt) return true
    for (let at: Place = from; at.next > gone && !signal.aborted; at = this.#place ?? at)
      await this.#takeBack(at)
    // It may have parted again meanwhile.
    if (!isOpen && this.#seen.partedAt === partedAt) this.#seen = { ...this.#seen, partedAt: NOWHERE }
    return !isOpen
  }

  /** Null while it is not known. `isOpen` is true if it is not known of the macroblock above. */
  async #standsAt(height: number, isOpen: boolean, signal: AbortSignal): Promise<boolean | null> {
    const passed = await this.#parameters.store.passed(height)
    const { at, stands } = this.#placeNow()
    // It is from before the beginning, or too long ago, and goes with those above it.
    if (passed === null) return isOpen && height - (at?.height ?? height) <= DEEPEST_FORK ? null : false
    const known = stands(passed)
    // It is below what the chain is remembered of.
    if (known === null && at !== null && height < at.height)
      return (await this.#reading((place) => askForStanding(passed, place, signal))) !== 'gone'
    return known
  }

  /** Takes the newest macroblock back that was looked through. */
  async #takeBack(from: Place): Promise<void> {
    const next = from.next - 1
    const begun = from.begun && { ...from.begun, height: Math.min(from.begun.height, next) }
    const leaving = { next, partings: from.partings + 1, isLeaving: true, begun }
    // Before anything is told: a chain that parts again, and back, does not hide that some of it was.
    await this.#move(leaving)
    await this.#leave(leaving)
  }

  async #leave(leaving: Place): Promise<void> {
    const gone = await this.#parameters.store.passed(leaving.next)
    if (gone !== null) {
      await tell('reverted', this.#parameters.onReverted, [...gone.rewards].reverse())
      await this.#parameters.store.takeBack(gone)
    }
    await this.#move({ ...leaving, isLeaving: false })
  }
}

/**
 * Finds the rewards of many accounts in what each macroblock paid: one question for each block in it, whatever the number
 * of accounts. Every macroblock from the one that was open at the beginning is looked through, also those that went by
 * while the API was away; one that no node shows, or shows in part, is asked for again after growing pauses, and the
 * failure reported. What the store remembers of rewards is told to be gone when their macroblock is.
 */
export function followFleetRewards(parameters: FollowFleetRewardsParameters): Watch {
  const { client, pollIntervalMs, onError } = parameters
  const journey = new RewardJourney(parameters, () => tip.place())
  const looking = onDemand({
    client,
    pollIntervalMs,
    onError,
    task: (signal, progressed) => journey.look(signal, progressed),
  })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: ({ keyBlock: { height } }) => {
      journey.calculated(height)
      looking.trigger()
    },
    onReverted: ({ height }) => {
      journey.reverted(height)
      looking.trigger()
    },
    onError: (error) => {
      if (isNodeError(error, 'NETWORK_MISMATCH')) errorListener({ client, onError })(error)
    },
  })
  journey.knows(tip.place())
  return watchHandle(tip.leave, looking.stop)
}

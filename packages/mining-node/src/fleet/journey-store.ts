import type { Hash } from '@hailstone/protocol'
import { type KeptAt, keptValue } from '../cursors/kept-value.ts'
import type { NamedFleetReward } from './rewards-of-macroblock.ts'

/** Macroblocks whose rewards are remembered, for when they are taken back. */
const REVERTIBLE_MACROBLOCKS = 256

/** Where a journey over the macroblocks of a chain is. */
export type Place = {
  /** The lowest macroblock that was not looked through. */
  readonly next: number
  /** Macroblocks that were taken back so far. */
  readonly partings: number
  /** True while the rewards of the macroblock at `next` are told to be gone. */
  readonly isLeaving: boolean
  /** Absent in a place of an earlier version. */
  readonly begun?: Begun | undefined
}

/** Where a journey began. */
export type Begun = {
  /** Its first macroblock, or the lowest to which it went back since. */
  readonly height: number
  /**
   * Unix milliseconds of the key block that was open then. What a later key block ends is new, also below that height: a fork
   * took the place of the beginning.
   */
  readonly openMs: number
}

/** A macroblock that was looked through. */
export type Passed = {
  readonly height: number
  readonly hash: Hash
  readonly root: Hash
  readonly rewards: readonly NamedFleetReward[]
}

/** What a journey remembers: its place, and the last 256 macroblocks that it passed. */
export type JourneyStore = {
  /** Null before the first place was written. */
  readonly place: () => Promise<Place | null>
  readonly move: (to: Place) => Promise<void>
  /** Null for a height that was not passed, was taken back, or is too long ago. */
  readonly passed: (height: number) => Promise<Passed | null>
  readonly pass: (macroblock: Passed) => Promise<void>
  readonly takeBack: (macroblock: Passed) => Promise<void>
}

const slotOf = (height: number): number => height % REVERTIBLE_MACROBLOCKS

/** Remembers as long as the process lives. */
export function rememberedJourney(): JourneyStore {
  let place: Place | null = null
  const slots = new Map<number, Passed>()
  return {
    place: async () => place,
    move: async (to) => {
      place = to
    },
    passed: async (height) => {
      const found = slots.get(slotOf(height))
      return found?.height === height ? found : null
    },
    pass: async (macroblock) => void slots.set(slotOf(macroblock.height), macroblock),
    takeBack: async ({ height }) => void slots.delete(slotOf(height)),
  }
}

/** Of a macroblock that was taken back. */
const NO_HEIGHT = -1

/** Remembers from run to run: the place under the name of the cursor, each macroblock in an entry of its own. */
export function keptJourney(cursor: KeptAt): JourneyStore {
  const place = keptValue<Place>(cursor)
  const slot = (height: number) => keptValue<Passed>({ ...cursor, name: `${cursor.name}-${slotOf(height)}` })
  return {
    place: place.read,
    move: place.write,
    passed: async (height) => {
      const found = await slot(height).read()
      return found?.height === height ? found : null
    },
    pass: (macroblock) => slot(macroblock.height).write(macroblock),
    takeBack: (macroblock) =>
      slot(macroblock.height).write({ ...macroblock, height: NO_HEIGHT, rewards: [] }),
  }
}

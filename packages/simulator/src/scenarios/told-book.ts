import type { Run } from '../run/run.ts'
import type { SimulatedChain } from '../world/simulated-chain.ts'
import { type BookedLine, type BookedLines, keyOf } from './booked-lines.ts'
import { onceOfEachKind } from './once-of-each-kind.ts'

/** A reward as a program was told it. */
export type ToldReward = Pick<BookedLine, 'address' | 'recordType' | 'recordHash' | 'amount' | 'role'> & {
  readonly index?: number | undefined
  readonly height: number | null
  readonly tokenId: string | null
}

/** A notification and those before it. */
export type Told = {
  readonly key: string
  readonly by: 1 | -1
  readonly height: number | null
  readonly before: Told | null
}

/** A beginning; until a second has passed, the height is that of the macroblock that may be open. */
type Begun = { readonly sinceMs: number; height: number }

/** State of a book when a watch wrote its cursor. A watch that goes on from that cursor is judged by it. */
export type ToldMark = {
  readonly newest: Told | null
  /** When the watch began: one that goes on from an older cursor is of that time. */
  readonly sinceMs: number
  /** From here on nothing may be missing: a fork can book again what is below. */
  readonly wanted: Begun
}

/** What a program was told of rewards by one watch, and what it should have been told. */
export type ToldBook = {
  readonly rewarded: (reward: ToldReward) => void
  readonly reverted: (reward: ToldReward) => void
  /** What was told so far. */
  readonly mark: () => ToldMark
  /** A program goes on from a cursor that was written at a mark: what was told since may be told again. */
  readonly goesOnFrom: (mark: ToldMark) => void
  /** It goes on after a stop: one macroblock that was not told to its end is told again. */
  readonly goesOnWhole: (mark: ToldMark) => void
  /** A program begins without a cursor. */
  readonly begins: () => void
  /** A program without a cursor could begin only now: what was booked before need not be told. */
  readonly couldBegin: () => void
  /** Names of what is missing, of what was booked up to a time if one is given. */
  readonly missing: (chain: SimulatedChain, bookedUntilMs?: number) => readonly string[]
  /** True if nothing is missing, and nothing is left to be taken back. */
  readonly isComplete: (chain: SimulatedChain) => boolean
  readonly judge: (chain: SimulatedChain) => void
}

/** Blocks of a node that is behind, and of a machine whose clock is not exact, may be taken for new. */
const EARLIER_MS = 200_000
/** Key blocks are dated in whole seconds. */
const ROUNDED_MS = 1_000

export function createToldBook(parameters: {
  readonly run: Run
  readonly name: string
  readonly lines: BookedLines
  readonly isMeant: (line: BookedLine) => boolean
  readonly isFromNow: boolean
  readonly chain: SimulatedChain
  /** Height of the highest node that answers: one that stands still may be on a fork that is being left. */
  readonly shownHeight: () => number
}): ToldBook {
  const { run, name, lines, isMeant, isFromNow, chain: present, shownHeight } = parameters
  const openHeight = (): number => Math.max(present.height, shownHeight())
  const always: Begun = { sinceMs: Number.NEGATIVE_INFINITY, height: 0 }
  let place: ToldMark = { newest: null, sinceMs: always.sinceMs, wanted: always }
  let net = new Map<string, number>()
  /** Told ever, and taken back ever. */
  const ever = { 1: new Set<string>(), [-1]: new Set<string>() }
  /** The same when the program last went on from a cursor: each may be told again, and need not. */
  let before: typeof ever = { 1: new Set(), [-1]: new Set() }

  /** No cursor was written since the program began without one. */
  let isBeginning = true

  const netOf = (key: string): number => net.get(key) ?? 0
  const words = ({ recordType, recordHash, height, role }: ToldReward | BookedLine): string =>
    `${recordType} ${recordHash.slice(0, 8)} ${role} of ${height}`
  const violate = onceOfEachKind(run, `${name}: `)

  function count(by: 1 | -1, reward: ToldReward): void {
    const key = keyOf(reward)
    place = { ...place, newest: { key, by, height: reward.height, before: place.newest } }
    ever[by].add(key)
    net.set(key, netOf(key) + by)
    run.note(name, `${by === 1 ? 'told' : 'told back'} ${words(reward)}`)
  }

  function compare(reward: ToldReward): void {
    const line = lines.find(keyOf(reward))
    if (line === undefined) {
      violate('made up', `${words(reward)} was never booked`)
      return
    }
    if (!isMeant(line)) violate('made up', `${words(line)} is not of this watch`)
    const { sinceMs } = place
    if (isFromNow && line.bookedAtMs < sinceMs - EARLIER_MS)
      violate('from before', `${words(line)}, booked ${sinceMs - line.bookedAtMs} ms before the watch began`)
    if (reward.index !== undefined && reward.index !== line.index)
      violate('wrong number', `${reward.index} for ${line.index}`)
    if (reward.amount !== line.amount) violate('wrong amount', `${reward.amount} for ${line.amount}`)
    if (reward.height !== line.height) violate('wrong height', `${reward.height} for ${words(line)}`)
    if (reward.role !== line.role) violate('wrong role', `${reward.role} for ${words(line)}`)
    if (reward.tokenId !== line.tokenId) violate('wrong token', `${reward.tokenId} for ${words(line)}`)
  }

  function goOnFrom(mark: ToldMark, isFirst = false): void {
    place = mark
    isBeginning = isFirst
    net = new Map()
    for (let one = mark.newest; one !== null; one = one.before) net.set(one.key, netOf(one.key) + one.by)
    before = { 1: new Set(ever[1]), [-1]: new Set(ever[-1]) }
  }

  const isWanted = (line: BookedLine): boolean => {
    const { sinceMs, height } = place.wanted
    const isNew = line.height >= height || line.openedAtMs > sinceMs + ROUNDED_MS
    return isMeant(line) && (!isFromNow || (line.bookedAtMs >= sinceMs + ROUNDED_MS && isNew))
  }

  /** A program that begins sees only within a second which macroblock is open: until then another may be. */
  function beginNow(): Begun {
    const begun: Begun = { sinceMs: run.time.now(), height: openHeight() }
    run.time.after(ROUNDED_MS, () => {
      begun.height = Math.max(begun.height, openHeight())
    })
    return begun
  }

  function missing(chain: SimulatedChain, untilMs = Number.POSITIVE_INFINITY): readonly string[] {
    const lacking: string[] = []
    for (const [key, line] of lines.ofChain(chain)) {
      if (line.bookedAtMs > untilMs || netOf(key) > 0 || before[1].has(key) || !isWanted(line)) continue
      lacking.push(words(line))
    }
    return lacking
  }

  /** What was told and is on the chain no more. */
  const lingering = (chain: SimulatedChain): readonly string[] => {
    const onChain = lines.ofChain(chain)
    return [...net].flatMap(([key, count]) =>
      count > 0 && !onChain.has(key) && !before[-1].has(key) ? [key] : [],
    )
  }

  return {
    rewarded: (reward) => {
      compare(reward)
      if (netOf(keyOf(reward)) > 0) violate('told twice', `${words(reward)}`)
      count(1, reward)
    },
    reverted: (reward) => {
      const key = keyOf(reward)
      if (lines.ofChain(present).has(key)) violate('taken back for nothing', words(reward))
      if (netOf(key) < 1 && !before[1].has(key)) violate('taken back without being told', `${words(reward)}`)
      count(-1, reward)
    },
    mark: () => {
      isBeginning = false
      return place
    },
    goesOnFrom: (mark) => goOnFrom(mark),
    goesOnWhole: (mark) => {
      for (let one = place.newest; one !== mark.newest && one !== null; one = one.before)
        if (one.height !== place.newest?.height) return
      goOnFrom(mark)
    },
    begins: () => goOnFrom({ newest: null, sinceMs: run.time.now(), wanted: beginNow() }, true),
    couldBegin: () => {
      if (isBeginning && place.newest === null) place = { ...place, wanted: beginNow() }
    },
    missing,
    isComplete: (chain) => missing(chain).length === 0 && lingering(chain).length === 0,
    judge: (chain) => {
      const lacking = missing(chain)
      if (lacking.length > 0) violate('lost', `${lacking.length} rewards, first ${lacking[0]}`)
      for (const key of lingering(chain)) violate('not taken back', `${key} is on the chain no more`)
      for (const [key, count] of net)
        if (count < 0 && !before[1].has(key)) violate('taken back too often', key)
    },
  }
}

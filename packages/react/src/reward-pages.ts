import type { Address } from '@hailstone/mining-node'
import { type Claim, isProved, type Proof, repeated } from '@hailstone/runtime'
import { answered } from './answered.ts'
import type { ClientPort } from './mining-ports.ts'
import {
  differenceOf,
  END,
  isDeepEnough,
  joinPage,
  type KnownLines,
  nameOf,
  newestShared,
  pageBelow,
} from './reward-lines.ts'
import type { RewardLine } from './reward-row.ts'

/** The node has read the same page right before it told a reward. */
const SHARED_MS = 3_000
/** Answers in a row that prove what one of them alone does not. */
const ANSWERS = 3
/** Pages that are read in search of one record: one address may lead to several nodes, some of them behind. */
const MAX_PAGES = 16

/** Readings from the newest record in search of several that say the same. */
const MAX_READINGS = 12
/** Answers in a row without a record that was there, or with another one in its place. */
const GONE: Proof = { answers: 4 }
/** The same of a node that may only be a few blocks behind, while nobody told that the chain took rewards back. */
const GONE_UNTOLD: Proof = { answers: 4, overMs: 60_000 }

const UNFIT = 'The pages of the reward history do not fit together at the moment.'
const DIFFER = 'The nodes behind the address show different rewards at the moment.'

/** Records from one on, and whether the first record of the account is among them. */
export type RewardReading = {
  /** Newest first, without a gap. */
  readonly lines: readonly RewardLine[]
  /** True if no record is older. */
  readonly isEnd: boolean
}

/** A reading that begins with the newest record. */
export type NewestReading = RewardReading & {
  /** Number of known records that are gone: several answers in a row did not have them. */
  readonly missing: number
  /** The newest known record down from which the reading shows what is known; null if they share no such record. */
  readonly shared: RewardLine | null
}

/** Reads a reward history so that no record is missing between two pages, whichever nodes answered. */
export type RewardPages = {
  /**
   * Reads from the newest record down to those that are known. Returns null if the node that answers is only behind.
   *
   * @throws {Error} what the client throws, or that the answers do not fit together
   */
  readonly newest: (
    known: KnownLines,
    how: {
      /** False if nobody has told that the chain took rewards back. */
      readonly isTold: boolean
      /** False if an answer of the last seconds is good enough. */
      readonly isAnew: boolean
    },
  ) => Promise<NewestReading | null>
  /**
   * Reads the page of the records below a line.
   *
   * @throws {Error} what the client throws, or that the answers do not fit together
   */
  readonly below: (line: RewardLine, newest: RewardLine, linesBetween: number) => Promise<RewardReading>
}

/** Reads the reward history of one account, of every token. Its functions are called one after another. */
export function createRewardPages(client: Pick<ClientPort, 'getRewards'>, address: Address): RewardPages {
  const ask = (page: number, isAnew: boolean) =>
    answered(client.getRewards({ address, page, maxAgeMs: isAnew ? 0 : SHARED_MS }))
  /** That records are gone, as the last readings said. */
  let gone: { readonly reading: string; readonly claim: Claim } | null = null

  const below: RewardPages['below'] = async (line, newest, linesBetween) => {
    let page = pageBelow(newest, line, linesBetween)
    let said = ''
    let claim: Claim | null = null
    const emptyPages = new Set<number>()
    for (let asked = 0; asked < MAX_PAGES; asked++) {
      const { records, isLast } = await ask(page, asked > 0)
      if (records.length === 0) emptyPages.add(page)
      const join = joinPage(line, records, isLast)
      if (join.kind === 'joined') return join
      if (join.kind === 'parted') continue
      const isAtEnd = join.kind === 'move' && join.pages > 0 && emptyPages.has(page + join.pages)
      if (join.kind === 'move' && !isAtEnd) {
        if (join.pages > 0 || !isAskedAgain(asked)) page = Math.max(0, page + join.pages)
        continue
      }
      const { lines, says } = join.kind === 'unproved' ? join : { lines: [], says: END }
      claim = repeated(says === said ? claim : null, { source: '', atMs: 0 })
      said = says
      if (isProved(claim, { answers: ANSWERS })) return { lines, isEnd: says === END }
    }
    throw new Error(UNFIT)
  }

  /** The first page. That it is empty is a claim to repeat: a node that has just started has nothing yet. */
  async function firstPage({ lines, isEnd }: KnownLines, isAnew: boolean): Promise<readonly RewardLine[]> {
    const answers = isEnd && lines.length === 0 ? 1 : ANSWERS
    for (let asked = 0; asked < answers; asked++) {
      const { records } = await ask(0, isAnew || asked > 0)
      if (records.length > 0) return records
    }
    return []
  }

  async function readOnce(known: KnownLines, isAnew: boolean): Promise<RewardReading> {
    const first = await firstPage(known, isAnew)
    const [top] = first
    if (top === undefined) return { lines: [], isEnd: true }
    let lines = first
    let isEnd = isFirstOfAll(first)
    while (!isEnd && !isDeepEnough(known, lines)) {
      const last = lines.at(-1) ?? top
      const more = await below(last, top, lines.length - 1)
      lines = [...lines, ...more.lines]
      isEnd = more.isEnd
    }
    return { lines, isEnd }
  }

  /** True if a reading repeats often enough that records are gone. */
  function isGone(reading: RewardReading, proof: Proof): boolean {
    const name = nameOfReading(reading)
    const before = gone?.reading === name ? gone.claim : null
    gone = { reading: name, claim: repeated(before, { source: '', atMs: performance.now() }) }
    return isProved(gone.claim, proof)
  }

  const newest: RewardPages['newest'] = async (known, { isTold, isAnew }) => {
    for (let readings = 0; readings < MAX_READINGS; readings++) {
      const reading = await readOnce(known, isAnew || readings > 0)
      const { missing, isBehind } = differenceOf(known, reading.lines, reading.isEnd)
      if (missing === 0) gone = null
      // A history without any reward is that of a node that has just started.
      const isUntold = isBehind && (!isTold || reading.lines.length === 0)
      if (missing === 0 || isGone(reading, isUntold ? GONE_UNTOLD : GONE))
        return { ...reading, missing, shared: newestShared(known.lines, reading.lines) }
      // A node that is behind catches up, and is no reason to ask again at once.
      if (isUntold) return null
    }
    throw new Error(DIFFER)
  }
  return { newest, below }
}

/**
 * True if the same page is asked for once more, because a node that is behind may have answered. In a sequence without a
 * period, so that nodes that answer by turns do not keep step with it.
 */
const isAskedAgain = (asked: number): boolean => (asked + 1).toString(2).replaceAll('0', '').length % 2 === 1

/** True if a page goes down to the first record of its account. */
function isFirstOfAll(records: readonly RewardLine[]): boolean {
  const last = records.at(-1)
  const above = records.at(-2)
  return last?.rewardIndex === 0 && (above === undefined || above.rewardIndex === 1)
}

/** Names a reading, to see whether another one says the same. */
const nameOfReading = ({ lines, isEnd }: RewardReading): string => `${isEnd} ${lines.map(nameOf).join(' ')}`

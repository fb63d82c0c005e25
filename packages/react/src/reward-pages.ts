import type { Address } from '@hailstone/mining-node'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { answered } from './answered.ts'
import type { ClientPort } from './mining-ports.ts'
import { END, isDeepEnough, joinPage, type Known, nameOf, pageBelow } from './reward-lines.ts'
import type { RewardLine } from './reward-row.ts'

/** The node has read the same page right before it told a reward. */
const SHARED_MS = 3_000
/** Answers in a row that prove what one of them alone does not. */
const ANSWERS = 3
/** Pages that are read in search of one record: one address may lead to several nodes, some of them behind. */
const MAX_PAGES = 16

const UNFIT = 'The pages of the reward history do not fit together at the moment.'

/** Records from one on, and whether the first record of the account is among them. */
export type Reading = { readonly lines: readonly RewardLine[]; readonly isEnd: boolean }

/** Reads a reward history so that no record is missing between two pages, whichever nodes answered. */
export type RewardPages = {
  /**
   * Reads from the newest record down to those that are known.
   *
   * @param isAnew false if an answer of the last seconds is good enough
   */
  readonly newest: (known: Known, isAnew: boolean) => Promise<Reading>
  /** Reads the page of the records below a line. */
  readonly below: (line: RewardLine, newest: RewardLine, linesBetween: number) => Promise<Reading>
}

/** @throws {Error} in the returned functions: what the client throws, or that the pages do not fit together */
export function createRewardPages(client: ClientPort, address: Address): RewardPages {
  const ask = (page: number, isAnew: boolean) =>
    answered(client.getRewards({ address, page, maxAgeMs: isAnew ? 0 : SHARED_MS }))

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

  /** The first page. An empty one counts when it was repeated: a node that has just started has nothing yet. */
  async function firstPage(isAnew: boolean): Promise<readonly RewardLine[]> {
    for (let asked = 0; asked < ANSWERS; asked++) {
      const { records } = await ask(0, isAnew || asked > 0)
      if (records.length > 0) return records
    }
    return []
  }

  const newest: RewardPages['newest'] = async (known, isAnew) => {
    const first = await firstPage(isAnew)
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
export const nameOfReading = ({ lines, isEnd }: Reading): string => `${isEnd} ${lines.map(nameOf).join(' ')}`

import { type ClientCore, getMicroblockHeader, type MacroblockOutline } from '@hailstone/client'
import type { Address, Hash } from '@hailstone/protocol'
import type { OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { createNotThere } from './not-there.ts'
import type { Watch } from './watch-handle.ts'

/**
 * Microblocks of others since this miner was last offered one. Macroblocks that hold a microblock of its own do not count.
 */
export type OthersMined = {
  readonly microblocks: number
  /** Number of those miners; null while it is not known, and beyond ten microblocks. */
  readonly miners: number | null
}

export const NOBODY_MINED: OthersMined = { microblocks: 0, miners: 0 }

/** Microblocks whose miners are looked up: one request each. */
const LOOKED_UP = 10

/** Counts what others mine while this miner waits. */
export type OthersWatch = Watch & {
  /** Counts the microblocks of a calculated macroblock. */
  readonly calculated: (macroblock: MacroblockOutline) => void
  /** Begins at zero again. */
  readonly reset: () => void
}

/** Counts microblocks of others, and looks up the miners of the first ten. */
export function followOthers(parameters: {
  readonly client: ClientCore
  /** True for whoever is not one of the others. */
  readonly isOurAccount: (account: Address) => boolean
  /** True if it was published here. */
  readonly isOurs: (microblockHash: Hash) => boolean
  readonly onCount: (mined: OthersMined) => void
  readonly onError: OnError
}): OthersWatch {
  const { client, isOurAccount, isOurs, onCount } = parameters
  const notThere = createNotThere()
  let microblocks = 0
  let unread: Hash[] = []
  let miners = new Set<Address>()

  async function lookUp(signal: AbortSignal): Promise<void> {
    const [of, hashes] = [miners, unread]
    const lacking: Hash[] = []
    // It grows meanwhile.
    for (const hash of hashes) {
      const header = await getMicroblockHeader(client, { hash, signal })
      // It was set back meanwhile, or there are too many.
      if (signal.aborted || of !== miners || hashes !== unread) return
      if (header === undefined) lacking.push(hash)
      else if (isOurAccount(header.publisher)) microblocks--
      else miners.add(header.publisher)
    }
    unread = lacking
    count()
    const [first] = lacking
    if (first !== undefined) notThere(client, '/mblock', first)
  }

  function count(): void {
    const isKnown = microblocks <= LOOKED_UP && unread.length === 0 && miners.size > 0
    onCount(microblocks === 0 ? NOBODY_MINED : { microblocks, miners: isKnown ? miners.size : null })
  }

  const looking = onDemand({ ...parameters, task: lookUp })
  return {
    ...looking,
    [Symbol.asyncDispose]: looking.stop,
    calculated: ({ microblocks: all }) => {
      const hashes = all.map(({ hash }) => hash)
      // The count explains why nothing of this miner is mined.
      if (hashes.length === 0 || hashes.some(isOurs)) return
      microblocks += hashes.length
      if (microblocks > LOOKED_UP) unread = []
      else unread.push(...hashes)
      count()
      if (unread.length > 0) looking.trigger()
    },
    reset: () => {
      if (microblocks === 0) return
      microblocks = 0
      unread = []
      miners = new Set()
      count()
    },
  }
}

import { type ClientCore, getMicroblockHeader, type MacroblockOutline } from '@hailstone/client'
import type { Amount, Hash, TokenId } from '@hailstone/protocol'
import type { OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { followTip } from './chain-tip.ts'
import { createNotThere } from './not-there.ts'
import type { ChainLink } from './read-chain.ts'
import { type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

export type IncludedMicroblock = {
  readonly microblockHash: Hash
  readonly height: number
  readonly reward: Amount | null
  readonly tokenId: TokenId
}

/** Macroblocks after that of its key block after which a published microblock will not come any more. */
const MISSED_AFTER_MACROBLOCKS = 10
/** The same where its key block was not shown: the API is that far behind, a fork took it, or a gateway made it up. */
const UNSHOWN_MACROBLOCKS = 40
/** Macroblocks that can be taken back, and that an API may be behind. */
const REMEMBERED_MACROBLOCKS = 256

/** A publication that may be included, or is. */
type Publication = {
  readonly keyBlockHash: Hash
  /** Number of the node of a fleet that published it. */
  readonly node: number
  /** True once the macroblock of its key block was seen. */
  isShown: boolean
  /** Macroblocks without it, since that of its key block once it was seen. */
  passed: number
  /** Of the macroblock it is in; null while it is in none. */
  height: number | null
  isReported: boolean
  /** It was told to be missed. */
  isMissed: boolean
}

const AWAITED = { passed: 0, height: null, isReported: false }

export type PublicationWatch = Watch & {
  readonly published: (microblockHash: Hash, keyBlockHash: Hash, node?: number) => void
  /** True if it was published here, and lately. */
  readonly has: (microblockHash: Hash) => boolean
}

/**
 * Looks for published microblocks in every calculated macroblock; the only proof that they counted. Macroblocks that are
 * skipped after a pause of more than a hundred are not looked through: what they hold is told to be missed.
 */
export function followPublications(
  parameters: PollOptions & {
    readonly client: ClientCore
    /** The newest publications that are remembered; of what is forgotten nothing is said. @default 4096 */
    readonly limit?: (() => number) | undefined
    readonly onIncluded: (microblock: IncludedMicroblock, publication: Publication) => void
    /** At once when one of ours is seen in a macroblock. */
    readonly onFound?: (() => void) | undefined
    /** It was not in any macroblock that came since. An API that is far behind may show it later: it is included then. */
    readonly onMissed?: ((microblockHash: Hash, publication: Publication) => void) | undefined
    /** The macroblock it was in is on the chain no more. */
    readonly onExcluded?: ((microblockHash: Hash) => void) | undefined
    readonly onError: OnError
  },
): PublicationWatch {
  const {
    client,
    pollIntervalMs,
    limit = () => 4_096,
    onIncluded,
    onFound,
    onMissed,
    onExcluded,
  } = parameters
  const notThere = createNotThere()
  const all = new Map<Hash, Publication>()

  function search({ keyBlock, microblocks }: MacroblockOutline): void {
    const { height } = keyBlock
    const ours = microblocks.map(({ hash }) => all.get(hash)).filter((one) => one !== undefined)
    for (const one of ours) one.height = height
    for (const [hash, one] of all) {
      if (one.keyBlockHash === keyBlock.hash) Object.assign(one, { isShown: true, passed: 0 })
      if (one.height === null) one.passed++
      if (!one.isMissed && one.passed > (one.isShown ? MISSED_AFTER_MACROBLOCKS : UNSHOWN_MACROBLOCKS)) {
        one.isMissed = true
        onMissed?.(hash, one)
      }
      const kept = one.isShown && one.height === null ? MISSED_AFTER_MACROBLOCKS : REMEMBERED_MACROBLOCKS
      if ((one.height === null ? one.passed : height - one.height) > kept) all.delete(hash)
    }
    if (ours.length === 0) return
    onFound?.()
    reading.trigger()
  }

  /** It may come again: then it is included once more. */
  function takeBack({ height }: ChainLink): void {
    for (const [hash, one] of all) {
      if (one.height !== height) continue
      if (one.isReported) onExcluded?.(hash)
      all.set(hash, { ...one, ...AWAITED })
    }
  }

  async function readFound(signal: AbortSignal): Promise<void> {
    let lacking: Hash | undefined
    for (const [hash, one] of all) {
      const { height } = one
      if (height === null || one.isReported) continue
      const header = await getMicroblockHeader(tip.place().core, { hash, signal }).catch((error: unknown) => {
        // One that cannot be read is the last one of the next attempt, and holds up no other.
        if (all.get(hash) === one && all.delete(hash)) all.set(hash, one)
        throw error
      })
      if (signal.aborted) return
      // It was taken back meanwhile.
      if (all.get(hash) !== one) continue
      if (header === undefined) lacking = hash
      else {
        onIncluded({ microblockHash: hash, height, reward: header.reward, tokenId: header.tokenId }, one)
        one.isReported = true
        one.isMissed = false
      }
    }
    if (lacking !== undefined) notThere(tip.place().core, '/mblock', lacking)
  }

  const reading = onDemand({ ...parameters, task: readFound })
  const tip = followTip(client, { pollIntervalMs, onCalculated: search, onReverted: takeBack })
  return {
    ...watchHandle(tip.leave, reading.stop),
    published: (hash, keyBlockHash, node = 0) => {
      // Sent once more, on another connection: it may be in a macroblock by now.
      if (all.has(hash)) return
      const isShown = tip.place().heightOf(keyBlockHash) !== undefined
      const [oldest = hash] = all
        .set(hash, { keyBlockHash, node, isShown, isMissed: false, ...AWAITED })
        .keys()
      if (all.size > limit()) all.delete(oldest)
    },
    has: (hash) => all.has(hash),
  }
}

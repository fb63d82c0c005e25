import { type ClientCore, getMicroblock, type MacroblockInfo } from '@hailstone/client'
import type { Amount, Hash, TokenId } from '@hailstone/protocol'
import { followTip } from './chain-tip.ts'
import type { OnError } from './failure.ts'
import type { ChainLink } from './read-chain.ts'
import { onDemand } from './repeat.ts'
import { POLL_INTERVAL_MS, type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

export type IncludedMicroblock = {
  readonly microblockHash: Hash
  readonly height: number
  readonly reward: Amount | null
  readonly tokenId: TokenId
}

/** Macroblocks after which a published microblock will not come any more. */
const PATIENCE_MACROBLOCKS = 10
/** Macroblocks that can be taken back. */
const REVERTIBLE_MACROBLOCKS = 256

export type PublicationWatch = Watch & { readonly published: (microblockHash: Hash) => void }

/** Looks for published microblocks in every calculated macroblock; the only proof that they counted. */
export function followPublications(
  parameters: PollOptions & {
    readonly client: ClientCore
    readonly onIncluded: (microblock: IncludedMicroblock) => void
    /** At once when one of ours is seen in a macroblock. */
    readonly onFound?: (() => void) | undefined
    /** It was not in any macroblock that came since. */
    readonly onMissed?: ((microblockHash: Hash) => void) | undefined
    /** The macroblock it was in is on the chain no more. */
    readonly onExcluded?: ((microblockHash: Hash) => void) | undefined
    readonly onError: OnError
  },
): PublicationWatch {
  const { client, onIncluded, onFound, onMissed, onExcluded, onError } = parameters
  const { pollIntervalMs = POLL_INTERVAL_MS } = parameters
  /** Published microblocks with the macroblocks that passed since. */
  const awaited = new Map<Hash, number>()
  const found: { readonly hash: Hash; readonly height: number }[] = []
  const included = new Map<number, readonly Hash[]>()

  function search({ keyBlock, microblocks }: MacroblockInfo): void {
    const { height } = keyBlock
    const ours = microblocks.map(({ hash }) => hash).filter((hash) => awaited.delete(hash))
    for (const hash of ours) found.push({ hash, height })
    if (ours.length > 0) noteIncluded(height, ours)
    for (const [hash, passed] of awaited) {
      if (passed < PATIENCE_MACROBLOCKS) awaited.set(hash, passed + 1)
      else {
        awaited.delete(hash)
        onMissed?.(hash)
      }
    }
    if (ours.length > 0) onFound?.()
    if (found.length > 0) reading.trigger()
  }

  function noteIncluded(height: number, hashes: readonly Hash[]): void {
    included.set(height, hashes)
    for (const at of included.keys()) if (at < height - REVERTIBLE_MACROBLOCKS) included.delete(at)
  }

  /** It may come again: then it is included once more. */
  function takeBack({ height }: ChainLink): void {
    for (const hash of included.get(height) ?? []) {
      awaited.set(hash, 0)
      const unread = found.findIndex((one) => one.hash === hash)
      if (unread >= 0) found.splice(unread, 1)
      else onExcluded?.(hash)
    }
    included.delete(height)
  }

  async function readFound(signal: AbortSignal): Promise<void> {
    for (let next = found[0]; next !== undefined; next = found[0]) {
      const { hash, height } = next
      const microblock = await getMicroblock(tip.place().core, { hash, signal })
      if (signal.aborted) return
      if (found[0] !== next) continue
      found.shift()
      if (microblock === undefined) continue
      const { reward, tokenId } = microblock.header
      onIncluded({ microblockHash: hash, height, reward, tokenId })
    }
  }

  const reading = onDemand({ pace: client, intervalMs: () => pollIntervalMs, task: readFound, onError })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: search,
    onReverted: takeBack,
  })
  const stop = async (): Promise<void> => {
    await Promise.all([tip.leave(), reading.stop()])
  }
  return { ...watchHandle(stop), published: (hash) => void awaited.set(hash, 0) }
}

import type { Client, MacroblockInfo } from '@hailstone/client'
import type { Amount, Hash, TokenId } from '@hailstone/protocol'
import { chainTipOf } from './chain-tip.ts'
import type { OnError } from './failure.ts'
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

export type PublicationWatch = Watch & { readonly published: (microblockHash: Hash) => void }

/** Looks for published microblocks in every calculated macroblock; the only proof that they counted. */
export function followPublications(
  parameters: PollOptions & {
    readonly client: Client
    readonly onIncluded: (microblock: IncludedMicroblock) => void
    readonly onError: OnError
  },
): PublicationWatch {
  const { client, onIncluded, onError, pollIntervalMs: intervalMs = POLL_INTERVAL_MS } = parameters
  /** Published microblocks with the macroblocks that passed since. */
  const awaited = new Map<Hash, number>()
  const found: { readonly hash: Hash; readonly height: number }[] = []

  function search({ keyBlock, microblocks }: MacroblockInfo): void {
    for (const { hash } of microblocks) {
      if (awaited.delete(hash)) found.push({ hash, height: keyBlock.height })
    }
    for (const [hash, passed] of awaited) {
      if (passed >= PATIENCE_MACROBLOCKS) awaited.delete(hash)
      else awaited.set(hash, passed + 1)
    }
    if (found.length > 0) reading.trigger()
  }

  async function readFound(signal: AbortSignal): Promise<void> {
    for (let next = found[0]; next !== undefined; next = found[0]) {
      const { hash, height } = next
      const microblock = await client.getMicroblock({ hash, signal })
      if (signal.aborted) return
      found.shift()
      if (microblock === undefined) continue
      const { reward, tokenId } = microblock.header
      onIncluded({ microblockHash: hash, height, reward, tokenId })
    }
  }

  const reading = onDemand({ pace: client, intervalMs, task: readFound, onError })
  const leave = chainTipOf(client).subscribe({ pollIntervalMs: intervalMs, onCalculated: search })
  const stop = async (): Promise<void> => {
    await Promise.all([leave(), reading.stop()])
  }
  return { ...watchHandle(stop), published: (hash) => void awaited.set(hash, 0) }
}

import { NodeError } from '@hailstone/protocol'
import { assertLinked, type ChainLink } from '../chain/check-macroblock.ts'
import { createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import { readAhead } from '../chain/read-ahead.ts'
import { readMacroblock, type WalkedMacroblock } from '../chain/read-macroblock.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { onAbort } from '../transport/on-abort.ts'
import { getHeight } from './get-height.ts'

export type WalkChainParameters = Cancellable & {
  readonly fromHeight: number
  /** Included. @default the newest calculated macroblock when walking up, 0 when walking down */
  readonly toHeight?: number | undefined
  /** @default 'up' */
  readonly direction?: 'up' | 'down' | undefined
  /** The key block walked last, to go on from an earlier walk: the first one has to be linked to it. */
  readonly after?: ChainLink | undefined
  /** GETs at a time. @default 8 */
  readonly concurrency?: number | undefined
}

/**
 * Goes through the chain, macroblock by macroblock, in order and without gaps. Each is linked to the one
 * before, and every transaction hash and microblock hash is recomputed. Whether a microblock was left out
 * is not checked, nor are signatures. Ending the loop early cancels what was read ahead.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`; `HEIGHT_UNAVAILABLE` for a height that was asked for and is not
 *   calculated; `NETWORK_MISMATCH` when block 0 is not the network's origin; what the look-ups throw
 * @example
 * for await (const { keyBlock, microblocks } of walkChain(client, { fromHeight: 0 })) …
 */
export async function* walkChain(
  client: ClientCore,
  parameters: WalkChainParameters,
): AsyncGenerator<WalkedMacroblock, void, undefined> {
  const { fromHeight, direction = 'up', concurrency = 8, signal } = parameters
  signal?.throwIfAborted()
  const lastHeight = parameters.toHeight ?? (await defaultEnd(client, parameters))
  const isOpenEnd = parameters.toHeight === undefined && direction === 'up'
  const leaving = new AbortController()
  const takeBack = onAbort(signal, () => leaving.abort(signal?.reason))
  const limit = createConcurrencyLimit(concurrency)
  const work = async (height: number) =>
    [height, await readMacroblock(client, { height, limit, signal: leaving.signal })] as const
  try {
    let before = parameters.after
    for await (const [height, macroblock] of readAhead(heights(fromHeight, lastHeight, direction), {
      ahead: concurrency,
      work,
    })) {
      signal?.throwIfAborted()
      if (macroblock === undefined) {
        // Nobody asked for this very height: the walk ends with what is there.
        if (isOpenEnd && height === lastHeight) return
        throw new NodeError('HEIGHT_UNAVAILABLE', { height })
      }
      assertLinked(before, macroblock.keyBlock, direction)
      before = macroblock.keyBlock
      yield macroblock
    }
  } finally {
    takeBack()
    leaving.abort()
  }
}

/** The open key block has no microblocks yet; the one below it is the newest that can be calculated. */
async function defaultEnd(client: ClientCore, { direction, signal }: WalkChainParameters): Promise<number> {
  return direction === 'down' ? 0 : (await getHeight(client, { signal })) - 1
}

function* heights(from: number, to: number, direction: 'up' | 'down'): Generator<number> {
  if (direction === 'up') for (let height = from; height <= to; height++) yield height
  else for (let height = from; height >= to; height--) yield height
}

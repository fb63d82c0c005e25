import type { BlockTransaction, Hash } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getHeight } from './get-height.ts'
import { walkChain } from './walk-chain.ts'

/** A transaction with its place in the chain. */
export type LatestTransaction = BlockTransaction & {
  /** Height of the macroblock. */
  readonly height: number
  /** Time of its key block, in Unix milliseconds. */
  readonly timeMs: number
  /** The microblock that contains it. */
  readonly microblockHash: Hash
}

/** The newest macroblock can still be open or not calculated; the one two below the tip is neither. */
const OPEN_MACROBLOCKS = 2

/**
 * Reads the chain's transactions, newest macroblock first, until the caller stops the loop or the chain ends. All of
 * them are calculated: confirmed, rejected or duplicates. Within a macroblock they come in the order of their hashes,
 * the order in which the network executes them. Every hash on the way is recomputed.
 *
 * Source: `GET /height`, then `GET /macroblock_by_height` and `GET /mblock` as `walkChain` reads them.
 *
 * @throws {NodeError} as `walkChain`
 * @example
 * for await (const { hash, height } of latestTransactions(client)) console.log(height, hash)
 */
export async function* latestTransactions(
  client: ClientCore,
  { signal }: Cancellable = {},
): AsyncGenerator<LatestTransaction, void, undefined> {
  const height = await getHeight(client, { signal })
  // Heights of the top that are not there yet are left out, not waited for.
  const onHole = (hole: { readonly height: number; readonly why: Error }): void => {
    if (hole.height < height - OPEN_MACROBLOCKS) throw hole.why
  }
  const fromHeight = Math.max(0, height - 1)
  for await (const macroblock of walkChain(client, { fromHeight, direction: 'down', onHole, signal })) {
    const { height: of, time } = macroblock.keyBlock
    for (const { header, transactions } of macroblock.microblocks) {
      for (const transaction of transactions) {
        yield { ...transaction, height: of, timeMs: time * 1_000, microblockHash: header.hash }
      }
    }
  }
}

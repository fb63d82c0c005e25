import type { Client, WalkedMacroblock } from '@hailstone/client'
import { apiError, type Hash, type IndexEntry } from '@hailstone/protocol'
import { digest, type RulesById } from './digest.ts'
import type { BlockFacts } from './facts.ts'

export type ReadBlocksParameters = {
  readonly fromHeight: number
  /** Included. */
  readonly toHeight: number
  /** The block below, to which the first one has to be linked, and the key block above that. @default none */
  readonly after?: { readonly hash: string; readonly nextHash: string } | undefined
  readonly tokens: RulesById
  /** GETs at a time. @default 8 */
  readonly concurrency?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Walks the chain and yields what each macroblock means to the tokens, in order. Links, hashes and completeness are checked
 * by the walk; the records of own microblocks are read while it goes on. Each macroblock comes with the hash of the key
 * block that commits to it: after a reorganisation the same key block can hold other microblocks.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, `HEIGHT_UNAVAILABLE` also when the chain changed while it was read, and what
 *   the look-ups throw
 */
export async function* readBlocks(
  client: Client,
  parameters: ReadBlocksParameters,
): AsyncGenerator<BlockFacts, void, undefined> {
  const { fromHeight, toHeight, after, concurrency = 8, signal } = parameters
  if (toHeight < fromHeight) return
  const tip = await keyBlockHashAt(client, toHeight + 1, signal)
  const link = after === undefined ? undefined : { hash: after.hash as Hash, link: '' as Hash }
  const walk = client.walkChain({ fromHeight, toHeight, after: link, concurrency, signal })
  const started: Promise<BlockFacts>[] = []
  let held: WalkedMacroblock | undefined
  const start = (macroblock: WalkedMacroblock, nextHash: Hash): void => {
    const facts = withRecords(client, macroblock, { ...parameters, nextHash })
    // It is awaited at its turn; until then its failure is not unhandled.
    facts.catch(() => undefined)
    started.push(facts)
  }
  for await (const macroblock of walk) {
    const { hash, height } = macroblock.keyBlock
    const isOther = held === undefined && after !== undefined && hash !== after.nextHash
    if (isOther) throw apiError('HEIGHT_UNAVAILABLE', { height })
    if (held !== undefined) start(held, hash)
    held = macroblock
    const first = started.length > concurrency ? started.shift() : undefined
    if (first !== undefined) yield await first
  }
  for (const facts of started.splice(0)) yield await facts
  // The walk compared the last one with the key block above it, which must have been this one.
  const isSame = (await keyBlockHashAt(client, toHeight + 1, signal)) === tip
  if (held === undefined || !isSame) throw apiError('HEIGHT_UNAVAILABLE', { height: toHeight })
  start(held, tip)
  for (const facts of started) yield await facts
}

/** @throws {NodeError} `HEIGHT_UNAVAILABLE` */
async function keyBlockHashAt(
  client: Client,
  height: number,
  signal: AbortSignal | undefined,
): Promise<Hash> {
  const found = await client.getMacroblock({ height, signal })
  if (found === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height })
  return found.keyBlock.hash
}

async function withRecords(
  client: Client,
  macroblock: WalkedMacroblock,
  { tokens, nextHash, signal }: ReadBlocksParameters & { readonly nextHash: Hash },
): Promise<BlockFacts> {
  const own = macroblock.microblocks.filter(({ header }) => tokens.has(header.tokenId))
  const read = await Promise.all(
    own.map(
      async ({ header: { hash } }): Promise<[Hash, readonly IndexEntry[]]> => [
        hash,
        await client.getRecordsOfHash({ hash, signal }),
      ],
    ),
  )
  return digest(macroblock, { records: new Map(read), nextHash }, tokens)
}

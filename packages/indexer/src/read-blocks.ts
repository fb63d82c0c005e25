import type { Client, WalkedMacroblock } from '@hailstone/client'
import { apiError, type Hash, type IndexEntry } from '@hailstone/protocol'
import { isPrivateHost } from '@hailstone/runtime'
import { canBeWhole, recordsText } from './apply/referral-parts.ts'
import { digest, type RulesById, recordsOf } from './digest.ts'
import type { BlockFacts, MicroblockFact } from './facts.ts'

export type ReadBlocksParameters = {
  readonly fromHeight: number
  /** Included. */
  readonly toHeight: number
  /**
   * The block below, to which the first one has to be linked, and the key block above that; with its time as it was read
   * before, if that is known. @default none
   */
  readonly after?:
    | { readonly hash: string; readonly nextHash: string; readonly time?: bigint | undefined }
    | undefined
  readonly tokens: RulesById
  /** GETs at a time. @default 8 */
  readonly concurrency?: number | undefined
  readonly signal?: AbortSignal | undefined
}

type KeyBlock = WalkedMacroblock['keyBlock']

/**
 * Walks the chain and yields what each macroblock means to the tokens, in order. Links, hashes and completeness are checked
 * by the walk; the records of own microblocks are read while it goes on. Each macroblock comes with the hash of the key
 * block that commits to it: after a reorganisation the same key block can hold other microblocks. A walk that fails after
 * it has yielded a block goes on behind that block at once; one that fails before its first block ends with the failure.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, also for a block more than 2 h ahead of this machine's clock, unless the API is
 *   on this machine or a private network and its other blocks are where they were and as far ahead;
 *   `HEIGHT_UNAVAILABLE` also when the chain changed while it was read, and what the look-ups throw
 */
export async function* readBlocks(
  client: Client,
  parameters: ReadBlocksParameters,
): AsyncGenerator<BlockFacts, void, undefined> {
  let { fromHeight, after } = parameters
  while (fromHeight <= parameters.toHeight) {
    const begunAt = fromHeight
    try {
      for await (const facts of walkOnce(client, { ...parameters, fromHeight, after })) {
        yield facts
        fromHeight = facts.height + 1
        after = { hash: facts.hash, nextHash: facts.nextHash, time: BigInt(facts.time) }
      }
    } catch (error) {
      parameters.signal?.throwIfAborted()
      if (fromHeight === begunAt) throw error
    }
  }
}

/** Yields every block that was read and linked before a failure, and throws the failure then. */
async function* walkOnce(
  client: Client,
  parameters: ReadBlocksParameters,
): AsyncGenerator<BlockFacts, void, undefined> {
  const { fromHeight, toHeight, after, concurrency = 8, signal } = parameters
  const tip = await keyBlockAt(client, toHeight + 1, signal)
  const judge = futureJudge(client, parameters)
  const link = after === undefined ? undefined : { hash: after.hash as Hash, link: '' as Hash }
  const walk = client.walkChain({ fromHeight, toHeight, after: link, concurrency, signal })
  /** Blocks that are to be yielded; the first one is removed after it was. */
  const started: Promise<BlockFacts>[] = []
  let held: WalkedMacroblock | undefined
  const start = (macroblock: WalkedMacroblock, next: KeyBlock): void => {
    const facts = judge(macroblock.keyBlock, next)
      .then(() => assertEmptyTwice(client, macroblock, signal))
      .then(() => withRecords(client, macroblock, { ...parameters, nextHash: next.hash }))
    // It is awaited at its turn; until then its failure is not unhandled.
    facts.catch(() => undefined)
    started.push(facts)
  }
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const macroblock of walk) {
      const { hash, height } = macroblock.keyBlock
      const isOther = held === undefined && after !== undefined && hash !== after.nextHash
      if (isOther) throw apiError('HEIGHT_UNAVAILABLE', { height })
      if (held !== undefined) start(held, macroblock.keyBlock)
      held = macroblock
      const [first] = started
      if (first === undefined || started.length <= concurrency) continue
      yield await first
      started.shift()
    }
    // The walk compared the last one with the key block above it, which must have been this one.
    const isSame = (await keyBlockAt(client, toHeight + 1, signal)).hash === tip.hash
    if (held === undefined || !isSame) throw apiError('HEIGHT_UNAVAILABLE', { height: toHeight })
    start(held, tip)
  } catch (error) {
    failure = { error }
  }
  // Where one of these failed, it is still the first one, and nothing behind it is yielded.
  for (const facts of started) yield await facts
  if (failure !== undefined) throw failure.error
}

/** Time by which a block may be ahead of this machine's clock, in s. That clock may be slow. */
const TOLERANCE_S = 7200

/** Formats Unix seconds as UTC to the minute, so that a message that is repeated with each poll rarely changes. */
const utcOf = (seconds: number): string =>
  seconds <= 8.64e12 ? new Date(seconds * 1000).toISOString().replace(/:\d\d\.\d+Z$/, 'Z') : `${seconds} s`

/** Latest time of a block that the tables and their views can hold: the end of the year 9999. */
const LATEST_S = 253_402_300_799

const isAhead = ({ clock }: Client, seconds: number): boolean =>
  seconds > Math.floor(clock.now() / 1000) + TOLERANCE_S

const ofFuture = ({ clock }: Client, { height, time }: KeyBlock) =>
  apiError('CHAIN_INCONSISTENT', {
    height,
    reason: `its time is ${utcOf(time)}, and the clock of this machine says ${utcOf(Math.floor(clock.now() / 1000))}; either of them is wrong`,
  })

const isNearby = ({ apiUrl }: Client): boolean => isPrivateHost(new URL(apiUrl).hostname)

/**
 * Returns a function that asserts that a block is not from the future. Days in the index never go back, so all later blocks
 * would be counted for the day of that one. An API on this machine or a private network may belong to a local network,
 * whose clock its owner may move. Then the next key block is as far ahead, the block before the walk has the time that it
 * had, and a reading after that one shows the same; otherwise answers were wrong for a while.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`
 */
function futureJudge(client: Client, { fromHeight, after, signal }: ReadBlocksParameters) {
  let isBelowRead = after?.time === undefined
  return async (keyBlock: KeyBlock, next: KeyBlock): Promise<void> => {
    if (!isAhead(client, keyBlock.time)) return
    const hasTime = async (height: number, time: bigint | undefined): Promise<boolean> =>
      BigInt((await keyBlockAt(client, height, signal)).time) === time
    const isMoved =
      isNearby(client) &&
      keyBlock.time <= LATEST_S &&
      next.time >= keyBlock.time - TOLERANCE_S &&
      (isBelowRead || (await hasTime(fromHeight - 1, after?.time))) &&
      (await hasTime(keyBlock.height, BigInt(keyBlock.time)))
    if (!isMoved) throw ofFuture(client, keyBlock)
    isBelowRead = true
  }
}

/**
 * Asserts that the newest block is not from the future, before a long walk that could not end there.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, and what the look-ups throw
 */
export async function assertNewestNotOfFuture(client: Client, signal?: AbortSignal): Promise<void> {
  const height = (await client.getHeight({ signal })) - 1
  const newest = await client.getMacroblock({ height, signal })
  if (newest === undefined || isNearby(client) || !isAhead(client, newest.keyBlock.time)) return
  throw ofFuture(client, newest.keyBlock)
}

/** @throws {NodeError} `HEIGHT_UNAVAILABLE` */
async function keyBlockAt(
  client: Client,
  height: number,
  signal: AbortSignal | undefined,
): Promise<KeyBlock> {
  const found = await client.getMacroblock({ height, signal })
  if (found === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height })
  return found.keyBlock
}

/**
 * Asserts that a second answer lists no microblock either where the first one did not, since nothing proves an empty list.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, and what the look-up throws
 */
async function assertEmptyTwice(
  client: Client,
  { keyBlock: { height }, microblocks, isComplete }: WalkedMacroblock,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (isComplete || microblocks.length > 0) return
  const again = await client.getMacroblock({ height, signal })
  if (again?.microblocks.length === 0) return
  throw apiError('CHAIN_INCONSISTENT', {
    height,
    reason: 'one answer lists no microblock, and another one does',
  })
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
  const facts = digest(macroblock, { records: new Map(read), nextHash }, tokens)
  const rules = new Map([...tokens.values()].map((one) => [one.id, one]))
  for (const one of facts.microblocks) {
    const of = rules.get(one.token)
    if (of !== undefined && !canBeWhole(of, one)) await assertPaidTwice(client, one, facts.height, signal)
  }
  return facts
}

/**
 * Asserts that a second answer has the same records of a microblock, since nothing proves that they are all.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, and what the look-up throws
 */
async function assertPaidTwice(
  client: Client,
  { hash, records }: MicroblockFact,
  height: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const again = recordsOf(await client.getRecordsOfHash({ hash, signal }))
  if (recordsText(again) === recordsText(records)) return
  throw apiError('CHAIN_INCONSISTENT', {
    height,
    reason: `two answers differ about what the microblock ${hash} paid`,
  })
}

import { apiError, assertArgument, type KeyBlockAnswer, type NodeError } from '@hailstone/protocol'
import { abortReason, throwIfAborted } from '@hailstone/runtime'
import { assertLinked, type ChainLink } from '../chain/check-macroblock.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import { proveComplete } from '../chain/prove-complete.ts'
import { readAhead } from '../chain/read-ahead.ts'
import { type Missing, type ReadMacroblock, readMacroblock } from '../chain/read-macroblock.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { onAbort } from '../transport/on-abort.ts'
import { getHeight } from './get-height.ts'
import { getMacroblock } from './get-macroblock.ts'

/** A macroblock of a walk, with everything in it recomputed and in the order of the hashes. */
export type WalkedMacroblock = ReadMacroblock & {
  /**
   * True if the next key block commits to exactly these microblocks and statblocks. False at the tip, and where one
   * of the lists is empty, since the root then proves nothing.
   */
  readonly isComplete: boolean
}

/** A height that a walk left out. */
export type ChainHole = {
  /** Height that could not be read. */
  readonly height: number
  /** `HEIGHT_UNAVAILABLE`, or `CHAIN_INCONSISTENT` when a microblock is listed and cannot be had. */
  readonly why: NodeError
}

/** Parameters of {@link walkChain}. */
export type WalkChainParameters = Cancellable & {
  /** First height of the walk, included, 0 or more. */
  readonly fromHeight: number
  /** Included. @default the newest calculated macroblock when walking up, 0 when walking down */
  readonly toHeight?: number | undefined
  /** @default 'up' */
  readonly direction?: 'up' | 'down' | undefined
  /** The key block walked last, to go on from an earlier walk: the first one has to be linked to it. */
  readonly after?: ChainLink | undefined
  /** GETs at a time. @default 8 */
  readonly concurrency?: number | undefined
  /** Ends the walk where a macroblock below the tip cannot be proven complete. @default false */
  readonly requireComplete?: boolean | undefined
  /**
   * Called for a height that cannot be read, also after retries; the walk then continues without it, and the
   * blocks around it are not linked to one another. The walk waits for it, and rejects with what it throws.
   * @default the walk ends there
   */
  readonly onHole?: ((hole: ChainHole) => unknown) | undefined
}

/**
 * Goes through the chain, macroblock by macroblock, in order and without gaps. Each is linked to the one before,
 * every transaction hash and microblock hash is recomputed, and what a macroblock holds is checked against the
 * root in the next key block, so that a microblock that was left out is noticed. Signatures are not checked. The
 * memory it takes does not grow with the length. Ending the loop early cancels what was read ahead.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`; `CHAIN_INCONSISTENT`; `HEIGHT_UNAVAILABLE` for a height that was asked for and is not
 *   calculated; `NETWORK_MISMATCH` when block 0 is not the network's origin; what the look-ups throw
 * @example
 * for await (const { keyBlock, microblocks } of walkChain(client, { fromHeight: 0 })) …
 */
export async function* walkChain(
  client: ClientCore,
  parameters: WalkChainParameters,
): AsyncGenerator<WalkedMacroblock, void, undefined> {
  const { fromHeight, direction = 'up', concurrency = 8, signal } = parameters
  assertHeight('fromHeight', fromHeight)
  const isCount = Number.isSafeInteger(concurrency) && concurrency > 0
  assertArgument(isCount, 'concurrency', 'a whole number, 1 or above', concurrency)
  if (parameters.toHeight !== undefined) assertHeight('toHeight', parameters.toHeight)
  throwIfAborted(signal)
  const lastHeight = parameters.toHeight ?? (await defaultEnd(client, parameters))
  const leaving = new AbortController()
  const takeBack = onAbort(signal, () => leaving.abort(abortReason(signal)))
  const walk: Walk = {
    ...{ client, parameters, direction, lastHeight },
    limit: createConcurrencyLimit(concurrency),
    signal: leaving.signal,
  }
  const work = (height: number) => readMacroblock(client, { ...walk, height })
  const read = readAhead(heights(fromHeight, lastHeight, direction), { ahead: concurrency, work })
  try {
    const linked = withoutHoles(walk, read)
    for await (const macroblock of direction === 'up' ? provenUp(walk, linked) : provenDown(walk, linked)) {
      throwIfAborted(signal)
      yield macroblock
    }
  } finally {
    takeBack()
    leaving.abort()
  }
}

const assertHeight = (name: string, height: unknown): void =>
  assertArgument(Number.isSafeInteger(height), name, 'a whole number', height)

type Walk = {
  readonly client: ClientCore
  readonly parameters: WalkChainParameters
  readonly direction: 'up' | 'down'
  readonly lastHeight: number
  readonly limit: ConcurrencyLimit
  readonly signal: AbortSignal
}

/** A macroblock that was read, and whether it is linked to the one before it in this walk. */
type Linked = { readonly macroblock: ReadMacroblock; readonly isLinked: boolean }

/** End of the list: null at its regular end, or the error that stopped it. Earlier entries are still returned. */
type Ending = { readonly ending: NodeError | null }

/** The open key block has no microblocks yet; the one below it is the newest that can be calculated. */
async function defaultEnd(client: ClientCore, { direction, signal }: WalkChainParameters): Promise<number> {
  return direction === 'down' ? 0 : (await getHeight(client, { signal })) - 1
}

function* heights(from: number, to: number, direction: 'up' | 'down'): Generator<number> {
  if (direction === 'up') for (let height = from; height <= to; height++) yield height
  else for (let height = from; height >= to; height--) yield height
}

/** Links each macroblock to the one before, and leaves out heights that cannot be had, if that is allowed. */
async function* withoutHoles(
  { parameters, direction, lastHeight }: Walk,
  read: AsyncIterable<ReadMacroblock | Missing>,
): AsyncGenerator<Linked | Ending, void, undefined> {
  const { toHeight, onHole } = parameters
  let before = parameters.after
  for await (const macroblock of read) {
    if (!('missing' in macroblock)) {
      assertLinked(before, macroblock.keyBlock, direction)
      yield { macroblock, isLinked: before !== undefined }
      before = macroblock.keyBlock
      continue
    }
    const { height, missing } = macroblock
    // Nobody asked for this very height: the walk ends with what is there.
    const isOpenEnd = toHeight === undefined && direction === 'up' && height === lastHeight
    if (isOpenEnd || onHole === undefined) {
      yield { ending: isOpenEnd ? null : missing }
      return
    }
    await onHole({ height, why: missing })
    before = undefined
  }
}

/** Gives each macroblock when the one above it has come, whose key block proves it. */
async function* provenUp(
  walk: Walk,
  linked: AsyncIterable<Linked | Ending>,
): AsyncGenerator<WalkedMacroblock, void, undefined> {
  let held: ReadMacroblock | undefined
  for await (const next of linked) {
    if ('ending' in next) {
      if (held !== undefined) yield await proven(walk, held, await keyBlockAbove(walk, held))
      if (next.ending !== null) throw next.ending
      return
    }
    const { macroblock, isLinked } = next
    if (held !== undefined) {
      yield await proven(walk, held, isLinked ? macroblock.keyBlock : await keyBlockAbove(walk, held))
    }
    held = macroblock
  }
  if (held !== undefined) yield await proven(walk, held, await keyBlockAbove(walk, held))
}

/** Gives each macroblock at once: the one above it has just been walked. */
async function* provenDown(
  walk: Walk,
  linked: AsyncIterable<Linked | Ending>,
): AsyncGenerator<WalkedMacroblock, void, undefined> {
  let above: KeyBlockAnswer | undefined
  for await (const next of linked) {
    if ('ending' in next) {
      if (next.ending !== null) throw next.ending
      return
    }
    const { macroblock } = next
    const isNeighbour = above?.height === macroblock.keyBlock.height + 1
    yield await proven(walk, macroblock, isNeighbour ? above : await keyBlockAbove(walk, macroblock))
    above = macroblock.keyBlock
  }
}

/** The key block that commits to a macroblock, when it is there and linked to it. */
async function keyBlockAbove(
  { client, limit, signal }: Walk,
  { keyBlock }: ReadMacroblock,
): Promise<KeyBlockAnswer | undefined> {
  const above = await limit(() => getMacroblock(client, { height: keyBlock.height + 1, signal }))
  return above?.keyBlock.link === keyBlock.hash ? above.keyBlock : undefined
}

async function proven(
  { client, parameters, limit, signal }: Walk,
  macroblock: ReadMacroblock,
  next: KeyBlockAnswer | undefined,
): Promise<WalkedMacroblock> {
  const isComplete = await proveComplete(client, { macroblock, next, limit, signal })
  if (!isComplete && next !== undefined && parameters.requireComplete === true) {
    const { height } = macroblock.keyBlock
    const reason = 'it cannot be proven that nothing was left out'
    throw apiError('CHAIN_INCONSISTENT', { height, reason })
  }
  return { ...macroblock, isComplete }
}

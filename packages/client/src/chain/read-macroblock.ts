import { apiError, type KeyBlockAnswer, type NodeError } from '@hailstone/protocol'
import { getMacroblock, type MacroblockInfo } from '../actions/get-macroblock.ts'
import { getMicroblock, type MicroblockInfo } from '../actions/get-microblock.ts'
import type { ClientCore } from '../client-core.ts'
import { checkedMicroblock, inconsistent, inOrder, isInOrder, short } from './check-macroblock.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

/** A macroblock whose microblocks have been fetched and recomputed, everything in the order of the hashes. */
export type ReadMacroblock = {
  readonly keyBlock: KeyBlockAnswer
  readonly microblocks: readonly MicroblockInfo[]
  /** Names only: the network does not show what a statblock's hash is made of. */
  readonly statBlocks: MacroblockInfo['statBlocks']
  /**
   * True if the node listed microblocks, statblocks and transactions ascending by hash, as its API description says.
   * They are always sorted here; false means that this node breaks the rule.
   */
  readonly isListedInOrder: boolean
}

/** A height without a macroblock, and the reason. */
export type Missing = { readonly height: number; readonly missing: NodeError }

export type ReadMacroblockParameters = {
  readonly height: number
  readonly limit: ConcurrencyLimit
  readonly signal: AbortSignal
}

/** A macroblock is normally calculated well within a second after the next key block. */
const TRIES = 4
const PAUSE_MS = 400

/**
 * Reads one macroblock with everything in it. What is not there or not calculated is asked for again, with some
 * patience, and then said to be missing.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, `NETWORK_MISMATCH`, and what the look-ups throw
 */
export async function readMacroblock(
  client: ClientCore,
  parameters: ReadMacroblockParameters,
): Promise<ReadMacroblock | Missing> {
  const { height, limit, signal } = parameters
  const ask = (): Promise<MacroblockInfo | undefined> =>
    limit(() => getMacroblock(client, { height, signal }))
  const macroblock = await askUntil(client, signal, ask, (found) => found.isCalculated)
  if (macroblock === undefined) return { height, missing: apiError('HEIGHT_UNAVAILABLE', { height }) }
  const { keyBlock } = macroblock
  assertOrigin(client, keyBlock)
  const listed = inOrder(macroblock.microblocks, keyBlock)
  const microblocks = await Promise.all(
    listed.map((each) => readMicroblock(client, { ...parameters, listed: each, keyBlock })),
  )
  const read = microblocks.filter((microblock) => microblock !== undefined)
  const absent = listed.find((_, at) => microblocks[at] === undefined)
  if (absent !== undefined) {
    const reason = `microblock ${short(absent.hash)} is listed but cannot be had`
    return { height, missing: inconsistent(height, reason) }
  }
  return {
    keyBlock,
    microblocks: read.map(({ microblock }) => microblock),
    statBlocks: inOrder(macroblock.statBlocks, keyBlock),
    isListedInOrder:
      isInOrder(macroblock.microblocks) &&
      isInOrder(macroblock.statBlocks) &&
      read.every((microblock) => microblock.isListedInOrder),
  }
}

async function readMicroblock(
  client: ClientCore,
  parameters: ReadMacroblockParameters & {
    readonly listed: MacroblockInfo['microblocks'][number]
    readonly keyBlock: KeyBlockAnswer
  },
): Promise<{ readonly microblock: MicroblockInfo; readonly isListedInOrder: boolean } | undefined> {
  const { listed, keyBlock, limit, signal } = parameters
  const { hash } = listed
  const ask = (): Promise<MicroblockInfo | undefined> =>
    limit(() => getMicroblock(client, { hash, signal, maxAgeMs: 0 }))
  const found = await askUntil(client, signal, ask, () => true)
  if (found === undefined) return undefined
  const isListedInOrder = isInOrder(found.transactions)
  return { microblock: checkedMicroblock(listed, found, keyBlock), isListedInOrder }
}

/** Asks a few times for what the network does not have yet. */
async function askUntil<T>(
  client: ClientCore,
  signal: AbortSignal,
  ask: () => Promise<T | undefined>,
  isThere: (found: T) => boolean,
): Promise<T | undefined> {
  for (let left = TRIES; left > 0; left--) {
    const found = await ask()
    if (found !== undefined && isThere(found)) return found
    if (left > 1) await client.clock.sleep(PAUSE_MS, signal)
  }
  return undefined
}

/** Key block 0 identifies the network. Nothing else is read from another network. */
function assertOrigin({ network }: ClientCore, { height, hash }: KeyBlockAnswer): void {
  const { originHash } = network
  if (height !== 0 || originHash === undefined || hash === originHash) return
  throw apiError('NETWORK_MISMATCH', { expected: originHash, received: hash })
}

import { ascending, type KeyBlockAnswer, NodeError } from '@hailstone/protocol'
import { getMacroblock, type MacroblockInfo } from '../actions/get-macroblock.ts'
import { getMicroblock, type MicroblockInfo } from '../actions/get-microblock.ts'
import type { ClientCore } from '../client-core.ts'
import { checkedMicroblock } from './check-macroblock.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

/** A macroblock whose microblocks have been fetched and recomputed, in the order of their hashes. */
export type WalkedMacroblock = {
  readonly keyBlock: KeyBlockAnswer
  readonly microblocks: readonly MicroblockInfo[]
  /** Names only: the network does not show what a statblock's hash is made of. */
  readonly statBlocks: MacroblockInfo['statBlocks']
}

export type ReadMacroblockParameters = {
  readonly height: number
  readonly limit: ConcurrencyLimit
  readonly signal: AbortSignal
}

/** A macroblock is normally calculated well within a second after the next key block. */
const TRIES = 4
const PAUSE_MS = 400

/**
 * Reads one macroblock with everything in it. Undefined when it is not there or not calculated, also after
 * some patience.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`, `NETWORK_MISMATCH`, and what the look-ups throw
 */
export async function readMacroblock(
  client: ClientCore,
  parameters: ReadMacroblockParameters,
): Promise<WalkedMacroblock | undefined> {
  const { limit, signal } = parameters
  const macroblock = await calculatedMacroblock(client, parameters)
  if (macroblock === undefined) return undefined
  const { keyBlock, statBlocks } = macroblock
  assertOrigin(client, keyBlock)
  const microblocks = await Promise.all(
    macroblock.microblocks.map(async (listed) => {
      const microblock = await limit(() => getMicroblock(client, { hash: listed.hash, signal }))
      return checkedMicroblock(listed, microblock, keyBlock)
    }),
  )
  return {
    keyBlock,
    microblocks: microblocks.sort((a, b) => ascending(a.header.hash, b.header.hash)),
    statBlocks,
  }
}

async function calculatedMacroblock(
  client: ClientCore,
  { height, limit, signal }: ReadMacroblockParameters,
): Promise<MacroblockInfo | undefined> {
  for (let left = TRIES; left > 0; left--) {
    const macroblock = await limit(() => getMacroblock(client, { height, signal }))
    if (macroblock?.isCalculated) return macroblock
    if (left > 1) await client.clock.sleep(PAUSE_MS, signal)
  }
  return undefined
}

/** Key block 0 names the network; nothing else of another one is worth reading. */
function assertOrigin({ network }: ClientCore, { height, hash }: KeyBlockAnswer): void {
  const { originHash } = network
  if (height !== 0 || originHash === undefined || hash === originHash) return
  throw new NodeError('NETWORK_MISMATCH', { expected: originHash, received: hash })
}

import { type ClientCore, getMacroblockOutline, type PinnedCore, pinnedCore } from '@hailstone/client'
import { apiError, sha256Hex } from '@hailstone/protocol'
import { untilYes } from '../api-view.ts'
import type { CursorStore } from './cursor-store.ts'

/** Parameters of {@link cursorsOfChain}. */
export type CursorsOfChainParameters = {
  /** Holds the cursors of any number of chains. */
  readonly store: CursorStore
  /** Asks the network for its first block; it is not closed. */
  readonly client: ClientCore
  /** Ends the look-up. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Adds the chain to each name in a store: hash and publisher of its first block, as they are configured, otherwise as a node
 * shows them. One chain has one name, whatever is configured, and two chains never share a cursor.
 *
 * Reading and writing reject with what the look-up throws, and `HEIGHT_UNAVAILABLE` of height 0 while no node shows that.
 */
export function cursorsOfChain({ store, client, signal }: CursorsOfChainParameters): CursorStore {
  let chain: string | undefined
  async function named(name: string): Promise<string> {
    chain ??= await chainOf(client, signal)
    if (chain === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height: 0 })
    return `${name}:${sha256Hex(chain.toLowerCase()).slice(0, 16)}`
  }
  return {
    read: async (name) => store.read(await named(name)),
    write: async (name, text) => store.write(await named(name), text),
  }
}

/** Asks the node in use, and then each of the others: one that is pruned, or starts, does not have block 0. */
async function chainOf(client: ClientCore, signal: AbortSignal | undefined): Promise<string | undefined> {
  const { originHash, genesisAddress } = client.network
  if (originHash !== undefined && genesisAddress !== undefined) return `${originHash} ${genesisAddress}`
  const ask = async (core: PinnedCore): Promise<string | undefined> => {
    const origin = (await getMacroblockOutline(core, { height: 0, signal }))?.keyBlock
    // A node of another network is not asked for its name.
    return origin && (originHash ?? origin.hash) === origin.hash
      ? `${origin.hash} ${origin.publisher}`
      : undefined
  }
  return (await untilYes(pinnedCore(client), ask, (name) => !name, client.transport.nodes?.())).answer
}

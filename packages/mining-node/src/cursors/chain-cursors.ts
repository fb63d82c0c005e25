import { type ClientCore, getMacroblockOutline, pinnedCore } from '@hailstone/client'
import { apiError, sha256Hex } from '@hailstone/protocol'
import type { CursorStore } from './cursor-store.ts'

/**
 * Adds the chain to each name in a store: the first block of a network that is configured, otherwise of the network that
 * answers, which is asked for until a node shows it. Two chains never share a cursor, whatever they are called.
 *
 * Reading and writing reject with what the look-up throws, and `HEIGHT_UNAVAILABLE` while no node has block 0.
 */
export function cursorsOfChain(store: CursorStore, client: ClientCore, signal: AbortSignal): CursorStore {
  let chain: string | undefined
  async function named(name: string): Promise<string> {
    chain ??= sha256Hex(client.network.originHash ?? (await originOf(client, signal))).slice(0, 16)
    return `${name}:${chain}`
  }
  return {
    read: async (name) => store.read(await named(name)),
    write: async (name, text) => store.write(await named(name), text),
  }
}

/** Asks the node in use, and then each of the others: one that is pruned, or starts, does not have block 0. */
async function originOf(client: ClientCore, signal: AbortSignal): Promise<string> {
  const { transport, ...core } = pinnedCore(client)
  for (const one of [transport, ...(client.transport.nodes?.() ?? [])]) {
    const ask = getMacroblockOutline({ ...core, transport: one }, { height: 0, signal })
    const found = await (one === transport ? ask : ask.catch(() => undefined))
    if (found !== undefined) return `${found.keyBlock.hash} ${found.keyBlock.publisher}`.toLowerCase()
  }
  throw apiError('HEIGHT_UNAVAILABLE', { height: 0 })
}

import { apiError } from '@hailstone/protocol'
import { getMacroblock } from '../actions/get-macroblock.ts'
import type { ClientCore } from '../client-core.ts'

/**
 * Returns the identity of the chain: name and publisher of its first block. Signatures do not name their chain, so
 * the bytes of a test network would be valid on the main one.
 *
 * @throws {NodeError} what the look-up throws; `NETWORK_MISMATCH` when it is not the configured origin
 */
export async function chainName(client: ClientCore, signal: AbortSignal): Promise<string> {
  const { originHash, name } = client.network
  const origin = await getMacroblock(client, { height: 0, signal })
  if (origin === undefined) return name
  const { hash, publisher } = origin.keyBlock
  if (originHash !== undefined && originHash !== hash) {
    throw apiError('NETWORK_MISMATCH', { expected: originHash, received: hash })
  }
  return `${hash} ${publisher}`
}

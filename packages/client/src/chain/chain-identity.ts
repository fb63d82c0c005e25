import { apiError, macroblockByHeightEndpoint } from '@hailstone/protocol'
import { getMacroblock } from '../actions/get-macroblock.ts'
import { answerFault } from '../answer-fault.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Returns the identity of the chain: name and publisher of its first block. Signatures do not name their chain, so
 * the bytes of a test network would be valid on the main one.
 *
 * @throws {NodeError} what the look-up throws; `RESPONSE_INVALID` when there is no first block, which says nothing about
 *   the chain; `NETWORK_MISMATCH` when it is not the configured origin
 */
export async function chainIdentity(client: ClientCore, { signal }: Cancellable = {}): Promise<string> {
  const { originHash } = client.network
  const origin = await getMacroblock(client, { height: 0, signal })
  if (origin === undefined) {
    throw answerFault(macroblockByHeightEndpoint.path, 'it does not have block 0, which tells chains apart')
  }
  const { hash, publisher } = origin.keyBlock
  if (originHash !== undefined && originHash !== hash) {
    throw apiError('NETWORK_MISMATCH', { expected: originHash, received: hash })
  }
  return `${hash} ${publisher}`.toLowerCase()
}

/**
 * True if a payment is meant for the chain of that identity. Older versions stored the name of the configured network when
 * block 0 was missing. That says something only of a network whose first block is configured, and was compared: every
 * network that is named by its addresses alone has the same name.
 */
export const isChainOf = (
  { chain }: { readonly chain: string },
  received: string,
  client: Pick<ClientCore, 'network'>,
): boolean =>
  chain.toLowerCase() === received ||
  (client.network.originHash !== undefined && chain === client.network.name)

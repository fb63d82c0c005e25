import { type ClientCore, getMacroblockOutline } from '@hailstone/client'
import { apiError } from '@hailstone/protocol'

/**
 * Asserts that a node shows the first block of the network that is configured. To be asked where the chain seems to have
 * parted: an address may begin to lead to a node of another network. A node without block 0 says nothing.
 *
 * @throws {NodeError} `NETWORK_MISMATCH`; what the look-up throws
 */
export async function assertOrigin(
  core: ClientCore & { readonly source: string },
  signal: AbortSignal,
): Promise<void> {
  const { originHash: expected } = core.network
  if (expected === undefined) return
  const received = (await getMacroblockOutline(core, { height: 0, signal }))?.keyBlock.hash
  if (received === undefined || received === expected) return
  core.transport.distrust?.(core.source)
  throw apiError('NETWORK_MISMATCH', { expected, received })
}

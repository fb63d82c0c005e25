import { defineEndpoint, type TokenId } from '@hailstone/protocol'
import { record, tokenId } from '@hailstone/protocol/schema'
import { lookUp, undefinedIfOldServer } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Its name alone, as every node asks for it. */
const nativeIdEndpoint = defineEndpoint({
  path: '/native_token',
  answer: record({ id: ['hash', tokenId] }),
  mayBeEmpty: true,
})

/**
 * The native token's id, asked for once per client: what the network says wins over the preset, which stands
 * in only for old servers that cannot say it.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getNativeTokenId(client: ClientCore, { signal }: Cancellable = {}): Promise<TokenId> {
  const { memory, network } = client
  if (memory.nativeTokenId !== undefined) return memory.nativeTokenId
  const token = await lookUp(client, nativeIdEndpoint, {}, { signal }).catch(undefinedIfOldServer)
  memory.nativeTokenId = token?.id ?? network.nativeTokenId
  return memory.nativeTokenId
}

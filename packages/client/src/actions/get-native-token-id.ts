import { isNodeError, type TokenId } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getNativeToken } from './get-native-token.ts'

/**
 * The native token's id, asked for once per client: what the network says wins over the preset, which stands
 * in only for old servers that cannot say it.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getNativeTokenId(client: ClientCore, { signal }: Cancellable = {}): Promise<TokenId> {
  const { memory, network } = client
  if (memory.nativeTokenId !== undefined) return memory.nativeTokenId
  const token = await getNativeToken(client, { signal }).catch(undefinedIfOldServer)
  memory.nativeTokenId = token?.id ?? network.nativeTokenId
  return memory.nativeTokenId
}

function undefinedIfOldServer(error: unknown): undefined {
  if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404) return undefined
  throw error
}

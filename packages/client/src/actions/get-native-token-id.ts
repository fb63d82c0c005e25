import { defineEndpoint, type TokenId } from '@hailstone/protocol'
import { record, tokenId } from '@hailstone/protocol/schema'
import { answerFault } from '../answer-fault.ts'
import { lookUp, undefinedIfOldServer } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import type { PinnedCore } from '../pinned-core.ts'

/** Its name alone, as every node asks for it. */
const nativeIdEndpoint = defineEndpoint({
  path: '/native_token',
  answer: record({ id: ['hash', tokenId] }),
  mayBeEmpty: true,
})

/**
 * Returns the native token's id. What an API node said is remembered, for that node where requests go to one alone; that it said nothing is not, since a node that is
 * starting says that too. For a server without the endpoint the id in the network's definition stands in, if somebody
 * chose it.
 *
 * @throws {NodeError} `RESPONSE_INVALID`, also where no native token is named; `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`
 */
export const getNativeTokenId = async (client: ClientCore, options: Cancellable = {}): Promise<TokenId> =>
  client.memory.nativeTokenIds.get(sourceOf(client)) ?? ask(client, options)

/**
 * Returns the native token's id for a payment: it has to be named now as it was named before, by whichever node. One answer
 * may be that of another chain, or of an API that has served another one until now. Where answers differ, they are all
 * forgotten, so that the next call asks anew.
 *
 * @throws {NodeError} `RESPONSE_INVALID` where answers differ; what {@link getNativeTokenId} throws
 */
export async function namedNativeTokenId(client: ClientCore, options: Cancellable = {}): Promise<TokenId> {
  const { nativeTokenIds } = client.memory
  const before = [await getNativeTokenId(client, options), ...nativeTokenIds.values()]
  const now = await ask(client, options)
  if (before.every((id) => id === now)) return now
  nativeTokenIds.clear()
  throw answerFault(nativeIdEndpoint.path, 'it names another native token than before')
}

async function ask(client: ClientCore, { signal }: Cancellable): Promise<TokenId> {
  const { memory, network } = client
  try {
    const token = await lookUp(client, nativeIdEndpoint, {}, { signal })
    if (token === undefined) throw answerFault(nativeIdEndpoint.path, 'it names no native token')
    memory.nativeTokenIds.set(sourceOf(client), token.id)
    return token.id
  } catch (error) {
    if (network.isNativeTokenAssumed) throw error
    return undefinedIfOldServer(error) ?? network.nativeTokenId
  }
}

/** The node to which all requests of a client go; empty if there may be several. */
const sourceOf = (client: ClientCore | PinnedCore): string => ('source' in client ? client.source : '')

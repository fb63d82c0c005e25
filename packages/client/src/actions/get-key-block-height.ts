import { defineEndpoint, required } from '@hailstone/protocol'
import { count, hash, optional, record } from '@hailstone/protocol/schema'
import { answerFault, isSameName } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { ClientCore } from '../client-core.ts'
import type { GetMacroblockByHashParameters } from './get-macroblock-by-hash.ts'

/** Nothing but the height: pages that watch need not carry the rest. */
const keyBlockEndpoint = defineEndpoint({
  path: '/macroblock',
  parameters: { hash: required('hash', 'hash') },
  answer: record({ keyBlock: ['kblock', optional(record({ hash, height: ['n', count] }))] }),
})

/**
 * Reads the height of a key block; undefined when the network does not know the hash.
 *
 * Source: `GET /macroblock`, as `getMacroblockByHash`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getKeyBlockHeight(
  client: ClientCore,
  { hash: asked, signal }: GetMacroblockByHashParameters,
): Promise<number | undefined> {
  const answer = await lookUp(client, keyBlockEndpoint, { hash: asked }, { signal })
  const keyBlock = answer?.keyBlock
  if (keyBlock !== undefined && !isSameName(keyBlock.hash, asked)) {
    throw answerFault(keyBlockEndpoint.path, 'it is the macroblock of another hash')
  }
  return keyBlock?.height
}

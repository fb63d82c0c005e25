import { macroblockEndpoint } from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import type { MacroblockInfo } from './get-macroblock.ts'
import { calculated } from './macroblock-at.ts'

/** Parameters of {@link getMacroblockByHash}. */
export type GetMacroblockByHashParameters = Cancellable & {
  /** 64 hex digits. */
  readonly hash: string
}

/** A macroblock with the snapshot its successor commits to, where there is one. */
export type MacroblockByHash = MacroblockInfo & {
  /** Hash of the ledger that the key block commits to, 64 hex digits; null when the node does not give one. */
  readonly snapshotHash: string | null
}

/**
 * Reads the macroblock of a key block; undefined when the network does not know the hash.
 *
 * Source: `GET /macroblock`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getMacroblockByHash(
  client: ClientCore,
  { hash, signal }: GetMacroblockByHashParameters,
): Promise<MacroblockByHash | undefined> {
  const macroblock = calculated(await lookUp(client, macroblockEndpoint, { hash }, { signal }))
  if (macroblock !== undefined && !isSameName(macroblock.keyBlock.hash, hash)) {
    throw answerFault(macroblockEndpoint.path, 'it is the macroblock of another hash')
  }
  return macroblock
}

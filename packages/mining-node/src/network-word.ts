import { type ClientCore, getOriginHash, pinnedCore } from '@hailstone/client'
import { apiError, type NodeError } from '@hailstone/protocol'
import { type ApiView, heard, hostsOf, untilYes } from './api-view.ts'

/** Which network API nodes belong to, by their own words. */
type NetworkWord = {
  /** `NETWORK_MISMATCH` for another one than was named; null for the right one. */
  readonly error: NodeError | null
  readonly sources: readonly string[]
}

/**
 * Asks which network the API belongs to: all of its nodes, as long as one names another. Null where the network is not known
 * by its first block, and for old servers, which cannot say how their chain begins.
 *
 * @throws {NodeError} what the look-up throws
 */
export async function readNetwork(client: ClientCore, signal: AbortSignal): Promise<NetworkWord | null> {
  const { originHash: expected } = client.network
  if (expected === undefined) return null
  const { answer: received, sources } = await untilYes(
    pinnedCore(client),
    (core) => getOriginHash(core, { signal }),
    (origin) => origin !== undefined && origin !== expected,
    client.transport.nodes?.(),
  )
  if (received === undefined) return null
  const isRight = received === expected
  return { error: isRight ? null : apiError('NETWORK_MISMATCH', { expected, received }), sources }
}

/** Takes in which network API nodes belong to. @param said.atMs by a clock that does not jump */
export function networkHeard(
  before: ApiView,
  said: { readonly isRight: boolean; readonly sources: readonly string[]; readonly atMs: number },
): ApiView {
  const { isRight, sources, atMs } = said
  const detail = `the API at ${hostsOf(sources)} belongs to another network`
  return heard(before, { sources, atMs, doubt: isRight ? null : { kind: 'anotherNetwork', detail } })
}

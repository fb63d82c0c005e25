import { type ClientCore, getMicroblockHeader } from '@hailstone/client'
import type { Hash, MicroblockHeader } from '@hailstone/protocol'

/** Reads the header of a microblock; undefined when it is unknown or not calculated. */
export type ReadHeader = (
  client: ClientCore,
  parameters: { readonly hash: Hash; readonly signal: AbortSignal },
) => Promise<MicroblockHeader | undefined>

/** Headers that several watches of one account read. */
export type NewestHeader = {
  readonly read: ReadHeader
  /** The chain was reorganised: what was read may be of a branch that is no more. */
  readonly forget: () => void
}

/**
 * Asks once for the header of the newest microblock, however many want it: whether it was included and what it paid are
 * asked at the same time. All who read through it are stopped together, as one signal ends the question of all.
 */
export function createNewestHeader(): NewestHeader {
  let newest: Hash | undefined
  let header: ReturnType<ReadHeader>
  const forget = (): void => {
    newest = undefined
  }
  return {
    read: (client, parameters) => {
      if (newest !== parameters.hash) {
        newest = parameters.hash
        header = getMicroblockHeader(client, parameters)
        // What was not found, or not answered, is asked for again.
        header.then((found) => found ?? forget(), forget)
      }
      return header
    },
    forget,
  }
}

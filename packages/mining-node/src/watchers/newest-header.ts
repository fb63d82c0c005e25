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
 * Shares one request for the header of the newest microblock: after each of our microblocks one watch reads whether it was
 * included, and another one what it paid. The first caller's signal aborts the request for all, so they are to be stopped
 * together.
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

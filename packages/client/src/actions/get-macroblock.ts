import {
  isNodeError,
  type KeyBlockAnswer,
  type MacroblockAnswer,
  macroblockByHeightEndpoint,
} from '@hailstone/protocol'
import { answerFault } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getHeight } from './get-height.ts'

/** A key block and the names of the blocks that extend it. */
export type MacroblockInfo = {
  readonly keyBlock: KeyBlockAnswer
  /** Only calculated microblocks are listed. */
  readonly microblocks: MacroblockAnswer['microblocks']
  readonly statBlocks: MacroblockAnswer['statBlocks']
  /** Whether its rewards are booked; until then the lists are not complete. */
  readonly isCalculated: boolean
}

export type GetMacroblockParameters = Cancellable & { readonly height: number }

/** Undefined for an answer without key block: the network has no such macroblock. */
export const macroblockInfo = (answer: MacroblockAnswer | undefined): MacroblockInfo | undefined => {
  if (answer?.keyBlock === undefined) return undefined
  const { keyBlock, microblocks, statBlocks } = answer
  return { keyBlock, microblocks, statBlocks, isCalculated: keyBlock.reward !== null }
}

/**
 * Reads the macroblock at a height; undefined when the chain has not come that far.
 *
 * Source: `GET /macroblock_by_height`. The public network never answers for a height it does not have, so
 * after a timeout the height of the chain decides whether nobody answers or nothing is there.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getMacroblock(
  client: ClientCore,
  { height, signal }: GetMacroblockParameters,
): Promise<MacroblockInfo | undefined> {
  try {
    const answer = await lookUp(client, macroblockByHeightEndpoint, { height }, { signal })
    const macroblock = macroblockInfo(answer)
    if (macroblock !== undefined && macroblock.keyBlock.height !== height) {
      throw answerFault(macroblockByHeightEndpoint.path, 'it is the macroblock of another height')
    }
    return macroblock
  } catch (error) {
    if (!isNodeError(error, 'REQUEST_TIMEOUT')) throw error
    if (height > (await tipOr(error, client, signal))) return undefined
    throw error
  }
}

/** The height of the chain; when that cannot be had either, the first failure is the one to report. */
async function tipOr(first: unknown, client: ClientCore, signal: AbortSignal | undefined): Promise<number> {
  try {
    return await getHeight(client, { signal })
  } catch (error) {
    throw isNodeError(error) ? first : error
  }
}

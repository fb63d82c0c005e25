import { type KeyBlockAnswer, type MacroblockAnswer, macroblockByHeightEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetMacroblockParameters, macroblockAt } from './macroblock-at.ts'

/** A key block and the names of the blocks that extend it. */
export type MacroblockInfo = {
  readonly keyBlock: KeyBlockAnswer
  /** Only calculated microblocks are listed. */
  readonly microblocks: MacroblockAnswer['microblocks']
  readonly statBlocks: MacroblockAnswer['statBlocks']
  /** True if its rewards are calculated; until then the lists are incomplete. */
  readonly isCalculated: boolean
}

/**
 * Reads the macroblock at a height; undefined when the chain has not come that far.
 *
 * Source: `GET /macroblock_by_height`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMacroblock = (
  client: ClientCore,
  parameters: GetMacroblockParameters,
): Promise<MacroblockInfo | undefined> => macroblockAt(client, macroblockByHeightEndpoint, parameters)

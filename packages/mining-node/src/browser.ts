import { createClient } from '@hailstone/client'
import { assembleMiningNode } from './create-mining-node.ts'
import type { MiningNode, MiningNodeParameters } from './mining-node.ts'
import { openWebChannel } from './web/open-web-channel.ts'

export * from './exports.ts'
export { createClient }

/**
 * Makes a miner of one key; sockets and HTTP are the browser's own. It does nothing before `start` or `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export const createMiningNode = (parameters: MiningNodeParameters): MiningNode =>
  assembleMiningNode(parameters, { openChannel: openWebChannel, createClient })

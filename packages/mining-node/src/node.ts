import { createClient } from '@hailstone/client'
import { assembleMiningNode } from './create-mining-node.ts'
import type { MiningNode, MiningNodeParameters } from './mining-node.ts'
import { openNodeChannel } from './node/open-node-channel.ts'
import { createTextVerifier } from './node/text-verifier.ts'

export * from './exports.ts'
export { createClient }

/**
 * Makes a miner of one key; sockets and HTTP go through undici. It does nothing before `start` or `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 * @example
 * const node = createMiningNode({ wallet: createWallet(), network: networks.bit })
 * node.on('rewarded', ({ amount, height }) => console.log(amount, height))
 * await node.start()
 */
export const createMiningNode = (parameters: MiningNodeParameters): MiningNode =>
  assembleMiningNode(parameters, { openChannel: openNodeChannel, createClient, verify: createTextVerifier() })

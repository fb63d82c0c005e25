import { assertMiner } from './check-arguments.ts'
import { assembleMiningNode } from './create-mining-node.ts'
import {
  assembleMiningSession,
  type MiningSession,
  type MiningSessionParameters,
} from './create-mining-session.ts'
import type { MiningNode, MiningNodeParameters } from './mining-node.ts'
import { webPlatform } from './web/web-platform.ts'

export * from './exports.ts'
export { watchBalance, watchRewards } from './watch/checked-watches.ts'

/**
 * Makes a miner of one key; sockets and HTTP are the browser's own. It does nothing before `start` or `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 * @example
 * const node = createMiningNode({ wallet: createWallet(), network })
 * node.on('rewarded', ({ amount, height }) => console.log(amount, height))
 * await node.start()
 */
export function createMiningNode(parameters: MiningNodeParameters): MiningNode {
  assertMiner(parameters)
  return assembleMiningNode(parameters, webPlatform)
}

/**
 * The session alone, for pages that count every byte: it mines and asks no API, keeps no snapshot and says nothing
 * in sentences. Its facts and its state are values.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export const createMiningSession = (parameters: MiningSessionParameters): MiningSession =>
  assembleMiningSession(parameters, webPlatform)

import { assertMiner } from './check-arguments.ts'
import { assembleMiningNode } from './create-mining-node.ts'
import {
  assembleMiningSession,
  type MiningSession,
  type MiningSessionParameters,
} from './create-mining-session.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { openWebChannel } from './web/open-web-channel.ts'
import { watchConnectivity } from './web/watch-connectivity.ts'

export * from './exports.ts'
export { watchBalance, watchRewards } from './watch/checked-watches.ts'

const platform: Platform = {
  openChannel: openWebChannel,
  connectivity: watchConnectivity,
  /** Pages in the background are woken once a minute. */
  minGapMs: 90_000,
}

/**
 * Makes a miner of one key; sockets and HTTP are the browser's own. It does nothing before `start` or `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 */
export function createMiningNode(parameters: MiningNodeParameters): MiningNode {
  assertMiner(parameters)
  return assembleMiningNode(parameters, platform)
}

/**
 * The session alone, for pages that count every byte: it mines and asks no API, keeps no snapshot and says nothing
 * in sentences. Its facts and its state are values.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export const createMiningSession = (parameters: MiningSessionParameters): MiningSession =>
  assembleMiningSession(parameters, platform)

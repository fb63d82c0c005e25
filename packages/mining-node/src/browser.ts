import { createClient, createClientCore } from '@hailstone/client'
import { assembleMiningNode } from './create-mining-node.ts'
import { followAccount } from './follow-account.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { openWebChannel } from './web/open-web-channel.ts'
import { verifyLeader } from './web/verify-leader.ts'
import { watchConnectivity } from './web/watch-connectivity.ts'

export * from './exports.ts'
export { createClient }

/** Pages in the background are woken once a minute. */
const LEAST_GAP_MS = 90_000

const sessionPlatform: Platform = {
  openChannel: openWebChannel,
  verifyLeader,
  connectivity: watchConnectivity,
  leastGapMs: LEAST_GAP_MS,
}

/**
 * Makes a miner of one key; sockets and HTTP are the browser's own. It does nothing before `start` or `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export const createMiningNode = (parameters: MiningNodeParameters): MiningNode =>
  assembleMiningNode(parameters, {
    ...sessionPlatform,
    api: { createClient: createClientCore, followAccount },
  })

/**
 * As {@link createMiningNode} for pages that count every byte: it mines and asks no API, so it follows neither
 * height nor balance nor rewards.
 */
export const createMiningSession = (parameters: MiningNodeParameters): MiningNode =>
  assembleMiningNode(parameters, sessionPlatform)

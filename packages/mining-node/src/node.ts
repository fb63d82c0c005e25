import { createClient, createClientCore } from '@hailstone/client'
import { assembleMiningNode } from './create-mining-node.ts'
import { followAccount } from './follow-account.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { openNodeChannel } from './node/open-node-channel.ts'
import { createTextVerifier } from './node/text-verifier.ts'
import { verifyLeader } from './node/verify-leader.ts'

export * from './exports.ts'
export { openFileCursors } from './node/file-cursors.ts'
export { createClient }

const sessionPlatform = (): Platform => ({
  openChannel: openNodeChannel,
  verify: createTextVerifier(),
  verifyLeader,
})

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
  assembleMiningNode(parameters, {
    ...sessionPlatform(),
    api: { createClient: createClientCore, followAccount },
  })

/** As {@link createMiningNode} without an API: it mines, and follows neither height nor balance nor rewards. */
export const createMiningSession = (parameters: MiningNodeParameters): MiningNode =>
  assembleMiningNode(parameters, sessionPlatform())

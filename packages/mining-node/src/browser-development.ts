// The default entry for pages that a bundler builds for development. It refuses misspelt settings as the one for Node
// does, and names the event that was meant; what is delivered to users leaves that out.

import * as page from './browser.ts'
import { assertMiner, assertSignsNow } from './check-arguments.ts'
import { assembleMiningNode } from './create-mining-node.ts'
import type { MiningSession, MiningSessionParameters } from './create-mining-session.ts'
import type { MiningNode, MiningNodeParameters } from './mining-node.ts'
import { namedEvent } from './nearest-event.ts'
import { assertMinerNames, assertSessionNames } from './setting-names.ts'
import { webPlatform } from './web/web-platform.ts'

export * from './browser.ts'
export { watchBalance, watchRewards } from './watch/named-watches.ts'

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
  assertMinerNames(parameters)
  assertMiner(parameters)
  assertSignsNow(parameters)
  return assembleMiningNode(parameters, { ...webPlatform, expectedEvent: namedEvent })
}

/**
 * The session alone, for pages that count every byte: it mines and asks no API, keeps no snapshot and says nothing
 * in sentences. Its facts and its state are values.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 */
export function createMiningSession(parameters: MiningSessionParameters): MiningSession {
  assertMiner(parameters)
  assertSignsNow(parameters)
  assertSessionNames(parameters)
  return page.createMiningSession(parameters)
}

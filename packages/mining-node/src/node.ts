import { assertCursorsOfChain, assertMiner } from './check-arguments.ts'
import { assembleMiningNode } from './create-mining-node.ts'
import {
  assembleMiningSession,
  type MiningSession,
  type MiningSessionParameters,
} from './create-mining-session.ts'
import { type CursorsOfChainParameters, cursorsOfChain as ofChain } from './cursors/chain-cursors.ts'
import type { CursorStore } from './cursors/cursor-store.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { namedEvent } from './nearest-event.ts'
import { openNodeChannel } from './node/open-node-channel.ts'
import { verifyAhead } from './node/verify-ahead.ts'
import { verifyLeader } from './node/verify-leader.ts'
import { signLater } from './session/sign-later.ts'
import { assertMinerNames, assertSessionNames } from './setting-names.ts'
import { openWebChannel } from './web/open-web-channel.ts'

export * from './exports.ts'
export { openFileCursors } from './node/file-cursors.ts'
export { watchBalance, watchRewards } from './watch/named-watches.ts'

/** Bun has a module called undici of its own, without sockets of undici's. */
const openChannel = 'bun' in process.versions ? openWebChannel : openNodeChannel

/** A verifier of the program's own may be stricter than the one of the threads. */
const platformFor = ({ verify }: Pick<MiningNodeParameters, 'verify'>): Platform => ({
  openChannel,
  expectedEvent: namedEvent,
  verifyLeader,
  signLater,
  verifyAhead: verify === undefined ? verifyAhead : undefined,
})

/**
 * Makes a miner of one key; sockets and HTTP go through undici. It does nothing before `start` or `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 * @example
 * const node = createMiningNode({ wallet: createWallet(), network: networks.bit })
 * node.on('rewarded', ({ amount, height }) => console.log(amount, height))
 * await node.start()
 */
export function createMiningNode(parameters: MiningNodeParameters): MiningNode {
  assertMiner(parameters)
  assertMinerNames(parameters)
  return assembleMiningNode(parameters, platformFor(parameters))
}

/**
 * The session alone: it mines and asks no API, keeps no snapshot and says nothing in sentences. Its facts and its
 * state are values.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 */
export function createMiningSession(parameters: MiningSessionParameters): MiningSession {
  assertMiner(parameters)
  assertSessionNames(parameters)
  return assembleMiningSession(parameters, platformFor(parameters))
}

/**
 * Adds the chain to each name in a store of cursors, so that a program which is pointed to another network begins anew there.
 * Reading and writing reject with `HEIGHT_UNAVAILABLE` of height 0 while the chain has no name: no API node shows block 0, and
 * `originHash` and `genesisAddress` of the network are not configured.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * const cursor = { store: cursorsOfChain({ store: openFileCursors({ folder: 'cursors' }), client }), name: 'rewards' }
 */
export function cursorsOfChain(parameters: CursorsOfChainParameters): CursorStore {
  assertCursorsOfChain(parameters)
  return ofChain(parameters)
}

import { assertArgument } from '@hailstone/protocol'
import { nearestWord } from '@hailstone/runtime'
import type { MiningNodeParameters } from '../mining-node.ts'

const names: { readonly [Name in keyof MiningNodeParameters]-?: true } = {
  wallet: true,
  client: true,
  network: true,
  apiUrl: true,
  gatewayUrl: true,
  gatewayUrls: true,
  bootNodeUrls: true,
  requireEncryption: true,
  tokenId: true,
  referralAgent: true,
  onDuplicateKey: true,
  mineBelowStake: true,
  cursors: true,
  followReferrals: true,
  verifyLeader: true,
  requireLeaderSignature: true,
  dangerouslySkipLeaderCheck: true,
  blockTimeMs: true,
  pollIntervalMs: true,
  logger: true,
  clock: true,
  randomness: true,
  frameLimitBytes: true,
  openChannel: true,
  verify: true,
}

/** Shorter names resemble too many. */
const SHORTEST_NAME = 5

/**
 * Refuses a misspelt name of a setting, such as `apiURL`, which would be ignored. Names that resemble none may belong to
 * the program.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertNames(parameters: object): void {
  for (const name of Object.keys(parameters)) {
    if (Object.hasOwn(names, name) || name.length < SHORTEST_NAME) continue
    const meant = nearestWord(name, Object.keys(names))
    assertArgument(meant === undefined, 'of a miner', `named ${meant}`, name)
  }
}

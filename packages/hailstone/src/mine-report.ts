import type { MiningEvent, MiningEvents, MiningNode } from '@hailstone/mining-node'
import type { TokenId } from '@hailstone/protocol'
import { coinsIn } from './coins.ts'

/** Something worth a line: a sentence for people and facts for programs. */
export type ReportLine = {
  readonly event: MiningEvent
  readonly sentence: string
  readonly facts: object
  /** False for what would be too much to read. */
  readonly isForPeople: boolean
}

type Sentences = { readonly [E in MiningEvent]?: (given: MiningEvents[E], node: MiningNode) => string }

const coins = (node: MiningNode, units: bigint, tokenId: TokenId | null): string =>
  coinsIn(node.snapshot(), units, tokenId)

/** Events that people read; the others are for programs alone. */
const sentences: Sentences = {
  started: ({ address, gatewayUrl }) => `mining with ${address} at ${gatewayUrl}`,
  hailed: ({ url }) => `introduced to ${url}`,
  beaconRefused: ({ microblockHash, why }) => `did not sign ${microblockHash}: ${why}`,
  published: ({ microblockHash }) => `signed ${microblockHash}`,
  included: ({ microblockHash, height }) => `included in block ${height}: ${microblockHash}`,
  rewarded: ({ amount, tokenId, height, role }, node) =>
    `reward of ${coins(node, amount, tokenId)} as ${role}${height === null ? '' : ` in block ${height}`}`,
  referralRewarded: ({ amount, tokenId, height, role }, node) =>
    `referral reward of ${coins(node, amount, tokenId)} as ${role}${height === null ? '' : ` in block ${height}`}`,
  balanceChanged: ({ amount }, node) => `balance ${coins(node, amount, node.snapshot().tokenId)}`,
  disconnected: ({ why, delayMs }) =>
    delayMs === 0 ? `not mining: ${why}` : `disconnected: ${why}; again in ${Math.ceil(delayMs / 1000)} s`,
  stopped: ({ why }) => why,
  failed: ({ error }) => `${error.code}: ${error.message}`,
}

/** Only for programs. */
const silent: readonly MiningEvent[] = ['connected', 'beaconReceived', 'heightChanged']

/** Turns what a node reports into lines. */
export function reportEvents(node: MiningNode, onLine: (line: ReportLine) => void): void {
  const listen = <E extends MiningEvent>(event: E, isForPeople: boolean): void => {
    const sentence = sentences[event] as ((given: MiningEvents[E], of: MiningNode) => string) | undefined
    node.on(event, (facts) =>
      onLine({ event, sentence: sentence?.(facts, node) ?? event, facts, isForPeople }),
    )
  }
  for (const event of Object.keys(sentences) as MiningEvent[]) listen(event, true)
  for (const event of silent) listen(event, false)
}

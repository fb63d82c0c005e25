import type { MiningEvent, MiningEvents, MiningNode, Reward } from '@hailstone/mining-node'
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

/** Events that are for programs alone. */
const silent = ['connected', 'beaconReceived', 'heightChanged'] as const

type SaidEvent = Exclude<MiningEvent, (typeof silent)[number]>
type Sentences = { readonly [E in SaidEvent]: (given: MiningEvents[E], node: MiningNode) => string }

const coins = (node: MiningNode, units: bigint, tokenId: TokenId | null): string =>
  coinsIn(node.snapshot(), units, tokenId)

const rewardText = ({ amount, tokenId, height, role }: Reward, node: MiningNode): string =>
  `reward of ${coins(node, amount, tokenId)} as ${role}${height === null ? '' : ` in block ${height}`}`

/** Sentences for people. */
const sentences: Sentences = {
  started: ({ address, gatewayUrl }) => `mining with ${address} at ${gatewayUrl}`,
  hailed: ({ url }) => `introduced to ${url}`,
  beaconRefused: ({ microblockHash, why }) => `did not sign ${microblockHash}: ${why}`,
  published: ({ microblockHash }) => `signed ${microblockHash}`,
  included: ({ microblockHash, height }) => `included in block ${height}: ${microblockHash}`,
  rewarded: rewardText,
  referralRewarded: (reward, node) => `referral ${rewardText(reward, node)}`,
  reverted: (reward, node) =>
    `taken back, since its block is on the chain no more: ${rewardText(reward, node)}`,
  referralMissed: ({ amount, tokenId, height, reason }, node) => {
    const why = reason === 'noBalance' ? 'it holds none of the token' : 'its balance is below the agent stake'
    return `referral reward of ${coins(node, amount, tokenId)} in block ${height} went to the owner of the token: ${why}`
  },
  balanceChanged: ({ amount }, node) => `balance ${coins(node, amount, node.snapshot().tokenId)}`,
  disconnected: ({ why, delayMs }) =>
    delayMs === 0 ? `not mining: ${why}` : `disconnected: ${why}; again in ${Math.ceil(delayMs / 1000)} s`,
  stopped: ({ why }) => why,
  failed: ({ error }) => `${error.code}: ${error.message}`,
}

/** Turns what a node reports into lines. */
export function reportEvents(node: MiningNode, onLine: (line: ReportLine) => void): void {
  const listen = <E extends MiningEvent>(event: E, isForPeople: boolean): void => {
    const sentence = (
      sentences as { readonly [K in E]?: (given: MiningEvents[K], of: MiningNode) => string }
    )[event]
    node.on(event, (facts) =>
      onLine({ event, sentence: sentence?.(facts, node) ?? event, facts, isForPeople }),
    )
  }
  for (const event of Object.keys(sentences) as MiningEvent[]) listen(event, true)
  for (const event of silent) listen(event, false)
}

import type { Hash, TokenId } from '@hailstone/protocol'
import { isPrivateHost } from '@hailstone/runtime'
import { type ApiView, endOf, heard, NOTHING_SAID } from './api-view.ts'
import { type HoldFacts, tokenDoubt } from './hold-reason.ts'
import { type Inclusion, NOTHING_PUBLISHED } from './inclusion.ts'
import type { MiningNodeParameters } from './mining-node.ts'
import { type MiningWarning, type StakeFacts, warningIf, warningsOf } from './readiness.ts'
import type { StopReason } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { isUnseen, seenSentence } from './why/seen.ts'

/** What a node knows beside its snapshot. Replaced, never changed in place. */
export type NodeKnowledge = HoldFacts & {
  readonly isTokenChosen: boolean
  readonly inclusion: Inclusion
  /** Of the session, the first one named first; empty before one began. */
  readonly gatewayUrls: readonly string[]
  /** Of the first publication since the account is followed. */
  readonly openKeyBlock?: Hash | undefined
  /** Of the newest beacon. */
  readonly newestKeyBlock?: Hash | undefined
}

/** A node that was made and did nothing yet. */
export const freshKnowledge = ({
  tokenId,
  network,
  mineBelowStake = false,
}: Pick<MiningNodeParameters, 'tokenId' | 'network' | 'mineBelowStake'>): NodeKnowledge => ({
  isTokenChosen: tokenId !== undefined,
  isTokenKnown: tokenId !== undefined,
  hasPreset: network !== undefined,
  mineBelowStake,
  token: NOTHING_SAID,
  network: NOTHING_SAID,
  isApiOverdue: false,
  inclusion: NOTHING_PUBLISHED,
  gatewayUrls: [],
})

/** A session begins: whoever starts again has everything asked anew. */
export const withSession = (known: NodeKnowledge, gatewayUrls: readonly string[]): NodeKnowledge => ({
  ...known,
  gatewayUrls,
  inclusion: NOTHING_PUBLISHED,
  isApiOverdue: false,
  token: { ...known.token, claim: null },
  network: { ...known.network, claim: null },
})

type Answer = { readonly sources: readonly string[]; readonly atMs: number }

/** API nodes said what the network wants of a miner of this token. */
export function tokenHeard(
  { token }: NodeKnowledge,
  facts: StakeFacts,
  tokenId: TokenId,
  answer: Answer,
): ApiView {
  const warnings = warningsOf({ facts, tokenId, isTokenChosen: true, balance: null })
  return heard(token, { ...answer, doubt: tokenDoubt(warnings, answer.sources) })
}

/** The reason for which mining ends; null while none is proved. */
export const endAt = ({ network, token }: NodeKnowledge): StopReason | null => endOf(network) ?? endOf(token)

/** Conditions that may keep this node from earning. @param behind says that the gateway is ahead of the API; null while it is not */
export const warningsAt = (
  { gatewayUrls, inclusion, isTokenChosen }: NodeKnowledge,
  { tokenId, stakes, balance, seen, leaderCheck: { status } }: MiningSnapshot,
  behind: string | null,
): readonly MiningWarning[] => [
  ...warningIf(
    gatewayUrls.some(isOpenToOthers),
    'GATEWAY_NOT_ENCRYPTED',
    'The connection to the gateway is not encrypted.',
  ),
  ...warningIf(
    status === 'off',
    'LEADER_CHECK_OFF',
    "Leaders' signatures are not verified: whoever runs the gateway can have anything signed.",
  ),
  ...warningIf(
    status === 'noVerifier',
    'LEADER_CHECK_MISSING',
    "Beacons with a leader's signature are not signed: pass verifyLeader of '@hailstone/mining-node/leader'.",
  ),
  ...warningIf(
    inclusion.areIgnored,
    'PUBLICATIONS_NOT_INCLUDED',
    'Most of what was published lately is not included: it came too late, or the gateway keeps it.',
  ),
  ...warningIf(behind !== null, 'API_BEHIND', behind ?? ''),
  ...warningIf(isUnseen(seen), 'NOT_SEEN', seenSentence(seen)),
  ...(stakes === null ? [] : warningsOf({ facts: stakes, tokenId, isTokenChosen, balance })),
]

/** Whoever listens on the way sees who mines; they cannot sign for it. */
function isOpenToOthers(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  return protocol !== 'wss:' && !isPrivateHost(hostname)
}

import { type ApiView, hostsOf } from './api-view.ts'
import { clause, type MiningWarning, tokenRefusals } from './readiness.ts'
import type { Doubt, HoldReason, SessionState, WaitReason } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'

/** What decides, beside the snapshot, whether a node holds back. */
export type HoldFacts = {
  /** True where the network was named: its own token stands in while the API does not answer. */
  readonly hasPreset: boolean
  readonly mineBelowStake: boolean
  /** True once a person or the API named the token. */
  readonly isTokenKnown: boolean
  /** True if the API did not report its requirements for miners in time. */
  readonly isApiOverdue: boolean
  /** What the API says of the token that is mined. */
  readonly token: ApiView
  /** What the API says of the network. */
  readonly network: ApiView
}

/** What the API says against mining; null where it says nothing against it. */
export const doubtOf = ({ network, token }: HoldFacts): Doubt | null => network.doubt ?? token.doubt

/**
 * Returns the reason why a started node does not connect to the gateway; null if it may. The network silently drops
 * hails in a token that it does not have, and publications below the minimum stake (PROTOCOL 5.8).
 */
export function holdReason(
  facts: HoldFacts,
  snapshot: Pick<MiningSnapshot, 'api' | 'stakes' | 'balance' | 'lastError' | 'warnings'>,
): HoldReason | null {
  const { api, stakes, balance, lastError, warnings } = snapshot
  const { isTokenKnown, hasPreset, isApiOverdue, mineBelowStake } = facts
  const doubt = doubtOf(facts)
  if (api.status === 'unused') return null
  if (doubt !== null) return doubt
  const hasFailed = api.status === 'unreachable' || lastError !== null
  if (!isTokenKnown && !(hasPreset && (hasFailed || isApiOverdue)))
    return { kind: 'nativeTokenUnknown', detail: hasFailed && api.why !== '' ? clause(api.why) : '' }
  if (mineBelowStake) return null
  const low = warnings.find(({ code }) => code === 'STAKE_TOO_LOW')
  if (low !== undefined) return { kind: 'stakeTooLow', detail: clause(low.message) }
  const isKnown = stakes !== null && balance !== null
  return isKnown || hasFailed || isApiOverdue ? null : { kind: 'stakeUnknown' }
}

const doubts: ReadonlySet<WaitReason['kind']> = new Set<Doubt['kind']>([
  'unknownToken',
  'tokenNotMineable',
  'anotherNetwork',
])

/** True where the API is asked again before its word counts. */
const isDoubt = (reason: WaitReason | null): boolean => reason !== null && doubts.has(reason.kind)

/** True if a session waits for that, as every other one of this API does. */
export const waitsInDoubt = (state: SessionState): boolean =>
  state.status === 'waiting' && isDoubt(state.reason)

/** Time that the API has to report its requirements, if the token is known, in ms. */
export const API_WAIT_MS = 3_000

/**
 * Returns what is wrong with the token that is mined; null if nothing is.
 *
 * @param sources the API nodes that say so
 */
export function tokenDoubt(warnings: readonly MiningWarning[], sources: readonly string[]): Doubt | null {
  for (const { code, message } of warnings) {
    const kind = tokenRefusals[code]
    if (kind !== undefined) return { kind, detail: `${clause(message)}, says ${hostsOf(sources)}` }
  }
  return null
}

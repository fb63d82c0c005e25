import { clause, type MiningWarning } from './readiness.ts'
import type { HoldReason, StopReason } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'

/**
 * Returns the reason why a started node does not connect to the gateway; null if it may. The network silently drops
 * hails in a token that it does not have, and publications below the minimum stake (PROTOCOL 5.8).
 *
 * @param parameters.isTokenKnown whether a person or the API named the token
 * @param parameters.hasPreset whether the network was named: its own token stands in while the API does not answer
 * @param parameters.isApiOverdue whether the API was given the time to answer
 */
export function holdReason(parameters: {
  readonly snapshot: Pick<MiningSnapshot, 'api' | 'stakes' | 'balance' | 'lastError'>
  readonly warnings: readonly MiningWarning[]
  readonly isTokenKnown: boolean
  readonly hasPreset: boolean
  readonly isApiOverdue: boolean
  readonly mineBelowStake: boolean
}): HoldReason | null {
  const { snapshot, warnings, isTokenKnown, hasPreset, isApiOverdue, mineBelowStake } = parameters
  const { api, stakes, balance, lastError } = snapshot
  if (api.status === 'unused') return null
  const hasFailed = api.status === 'unreachable' || lastError !== null
  if (!isTokenKnown && !(hasPreset && (hasFailed || isApiOverdue)))
    return { kind: 'nativeTokenUnknown', detail: hasFailed && api.why !== '' ? clause(api.why) : '' }
  if (mineBelowStake) return null
  const low = warnings.find(({ code }) => code === 'STAKE_TOO_LOW')
  if (low !== undefined) return { kind: 'stakeTooLow', detail: clause(low.message) }
  const isKnown = stakes !== null && balance !== null
  return isKnown || hasFailed || isApiOverdue ? null : { kind: 'stakeUnknown' }
}

/** Time that the API has to report its requirements, if the token is known, in ms. */
export const API_WAIT_MS = 3_000

/** Tokens do not change: what cannot be mined today cannot be mined tomorrow. */
export function stopOf(warnings: readonly MiningWarning[]): StopReason | undefined {
  const codes = warnings.map(({ code }) => code)
  if (codes.includes('TOKEN_UNKNOWN')) return 'unknownToken'
  return codes.includes('TOKEN_NOT_MINEABLE') ? 'tokenNotMineable' : undefined
}

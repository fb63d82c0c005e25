import { clause, type MiningWarning, minimumStakeText, type StakeFacts, tokenRefusals } from './readiness.ts'
import { describeSession, type Explanation } from './session/describe-session.ts'
import type { SessionState } from './session/state.ts'
import type { OthersMined } from './watchers/follow-others.ts'

/** State of the miner, its reason, and advice for a person. */
export type MiningState = SessionState & Explanation

/** Warnings that by themselves explain why no beacon comes or a publication is refused. */
const decisive: ReadonlySet<MiningWarning['code']> = new Set([
  'TOKEN_UNKNOWN',
  'TOKEN_NOT_MINEABLE',
  'STAKE_TOO_LOW',
  'NATIVE_TOKEN_DIFFERS',
])

/** The warning that explains by itself why nothing is mined, if there is one. */
export const blockingWarning = (warnings: readonly MiningWarning[]): MiningWarning | undefined =>
  warnings.find(({ code }) => decisive.has(code))

/** Completes what the session knows by what the API said about stake and token. */
export function miningState(parameters: {
  readonly session: SessionState
  readonly facts: StakeFacts | null
  readonly warnings: readonly MiningWarning[]
  readonly isBalanceKnown: boolean
  /** Reason why the newest beacon was not signed; null if it was. */
  readonly refusal: string | null
  readonly othersMined: OthersMined
}): MiningState {
  const { session, facts, warnings, isBalanceKnown, refusal, othersMined } = parameters
  const state = { ...session, ...describeSession(session) }
  if (session.status === 'stopped') {
    const refused = warnings.find(({ code }) => tokenRefusals[code] === session.reason)
    return refused === undefined ? state : { ...state, why: clause(refused.message) }
  }
  const isWaiting = session.status === 'waitingForBeacon'
  if (!isWaiting && !isSuspicious(session)) return state
  const obstacle = blockingWarning(warnings)
  if (obstacle !== undefined) {
    const why = `${isWaiting ? WAITING : state.why}: ${clause(obstacle.message)}`
    return { ...state, why, nextStep: obstacle.code === 'STAKE_TOO_LOW' ? state.nextStep : OTHER_TOKEN }
  }
  if (!isWaiting) return state
  if (refusal !== null) {
    const why = `${WAITING} that can be signed: the last one was refused: ${refusal}`
    return { ...session, why, nextStep: 'If this goes on, use another gateway.' }
  }
  const isStakeKnown = facts !== null && isBalanceKnown
  const isBusy = othersMined.microblocks > 0
  const orStake = isStakeKnown ? '' : ` or your stake is below ${minimumStakeText(facts)}`
  const why = isBusy ? notChosenYet(othersMined, orStake && `,${orStake}`) : IDLE + orStake
  return { ...state, why, nextStep: isStakeKnown ? '' : state.nextStep }
}

/** Explains why a miner with enough stake has nothing to sign: miners are chosen at random. */
export const notChosenYet = ({ microblocks, miners }: OthersMined, orStake = ''): string => {
  const who = miners === null ? 'others' : miners === 1 ? '1 other' : `${miners} others`
  return `not chosen yet${orStake}: ${who} mined ${microblocks} ${microblocks === 1 ? 'block' : 'blocks'}`
}

const OTHER_TOKEN = 'Choose a token that this network lets people mine.'
const WAITING = 'waiting for a beacon'
const IDLE = `${WAITING}: the network is idle`

const isSuspicious = (session: SessionState): boolean =>
  session.status === 'waiting' && session.reason.kind === 'publicationSuspected'

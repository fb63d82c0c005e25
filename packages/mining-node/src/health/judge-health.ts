/** Inputs of the health verdict, times in ms. Null stands for "never". */
export type HealthFacts = {
  /** Reason why the session is not ready; null if it is. */
  readonly obstacle: HealthVerdict | null
  readonly lastBeaconAgeMs: number | null
  /** Time in which a beacon is expected: that between two blocks. */
  readonly windowMs: number
  /** Of the newest block that the API has; `unused` when no API was named. */
  readonly tipAgeMs: number | null | 'unused'
  /** One sentence when the gateway is ahead of the API; null otherwise. */
  readonly behind?: string | null | undefined
  /** One sentence when no beacon came because others were chosen; null otherwise, and when that is not known. */
  readonly notChosen: string | null
  /** One sentence when the network was found not to list this miner among those online; null otherwise. */
  readonly notSeen?: string | null | undefined
}

/** Codes of `/readyz` and `/health`. Codes are only ever added. */
export type HealthCode =
  | 'READY'
  | 'NOT_CHOSEN'
  | 'NOT_SEEN'
  | 'NOT_STARTED'
  | 'CONNECTING'
  | 'GATEWAY_LOST'
  | 'STOPPED'
  | 'DUPLICATE_KEY'
  | 'PROTOCOL_VERSION'
  | 'WRONG_NETWORK'
  | 'TOO_FEW_SESSIONS'
  | 'NATIVE_TOKEN_UNKNOWN'
  | 'STAKE_TOO_LOW'
  | 'TOKEN_UNKNOWN'
  | 'TOKEN_NOT_MINEABLE'
  | 'SIGNER_FAILED'
  | 'NO_BEACON_YET'
  | 'BEACON_TOO_OLD'
  | 'HEIGHT_UNKNOWN'
  | 'HEIGHT_TOO_OLD'

/** Judgement of a node's health: a code, the reason and the next step. */
export type HealthVerdict = {
  readonly code: HealthCode
  /** One sentence. */
  readonly why: string
  /** Advice for a person; empty if nothing needs to be done. */
  readonly nextStep: string
}

/** Beacons that may be missed in a row. */
const ALLOWED_WINDOWS = 3
const TIP_TIMEOUT_MS = 60_000
/** Blocks that may be missed in a row where that takes longer. */
const TIP_WINDOWS = 4

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

const ASK_DOCTOR =
  'Run `hailstone doctor`: an idle network and a stake below the minimum look alike from here.'
const LOOK_AT_GATEWAY =
  'Use another gateway: this one may be cut off from the network. If it goes on, the API may belong to another network.'
const CHECK_API = 'Check the address of the API and the network; mining goes on without it.'

/** Codes of a miner that does what it can. */
const READY_CODES: ReadonlySet<HealthCode> = new Set(['READY', 'NOT_CHOSEN'])

/** True if nothing stands between this miner and its next microblock but chance. */
export const isReadyCode = (code: HealthCode): boolean => READY_CODES.has(code)

/**
 * Ready means: connected, sure of the height, and signing, or not chosen while others are. Anything else says what is
 * wrong first.
 */
export function judgeHealth(facts: HealthFacts): HealthVerdict {
  const { obstacle, tipAgeMs, behind } = facts
  if (obstacle !== null) return obstacle
  const silence = judgeSilence(facts)
  // While beacons come the gateway offers, whatever the list says.
  if (silence !== null && facts.notSeen)
    return { code: 'NOT_SEEN', why: facts.notSeen, nextStep: LOOK_AT_GATEWAY }
  if (silence !== null && facts.notChosen === null) return silence
  if (tipAgeMs === null) {
    return { code: 'HEIGHT_UNKNOWN', why: 'The API has not answered yet.', nextStep: CHECK_API }
  }
  const old = tipAgeMs === 'unused' ? null : (behind ?? oldText(tipAgeMs, facts.windowMs))
  if (old !== null) return { code: 'HEIGHT_TOO_OLD', why: old, nextStep: CHECK_API }
  if (silence !== null) return { code: 'NOT_CHOSEN', why: facts.notChosen ?? '', nextStep: '' }
  return { code: 'READY', why: '', nextStep: '' }
}

const oldText = (ageMs: number, windowMs: number): string | null =>
  ageMs > Math.max(TIP_TIMEOUT_MS, TIP_WINDOWS * windowMs)
    ? `The newest block of the API is ${seconds(ageMs)} old.`
    : null

/** Returns a verdict if the time since the last verified beacon is unusually long, otherwise null. */
function judgeSilence({ lastBeaconAgeMs, windowMs }: HealthFacts): HealthVerdict | null {
  const allowedMs = ALLOWED_WINDOWS * windowMs
  if (lastBeaconAgeMs === null) {
    return { code: 'NO_BEACON_YET', why: 'No beacon was verified since the start.', nextStep: ASK_DOCTOR }
  }
  if (lastBeaconAgeMs > allowedMs) {
    const why = `The last verified beacon came ${seconds(lastBeaconAgeMs)} ago; ${seconds(allowedMs)} are normal.`
    return { code: 'BEACON_TOO_OLD', why, nextStep: ASK_DOCTOR }
  }
  return null
}

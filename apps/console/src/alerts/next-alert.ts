/** State of a rule, as it is kept. */
export type AlertState = {
  /** `pending`: bad, and not yet for as long as the rule says. */
  readonly state: 'quiet' | 'pending' | 'active'
  /** Unix milliseconds at which the state began; null while it is quiet. */
  readonly sinceMs: number | null
  /** The macroblock that an active alert began with. */
  readonly height: number | null
  /** Commits to what that macroblock holds; its own hash does not. */
  readonly nextHash: string | null
  /** Number of starts so far: each has its own messages. */
  readonly episode: number
  /** Unix milliseconds until which its starts keep it busy, an hour each; null or absent before the first. */
  readonly busyUntilMs?: number | null | undefined
}

/** Change that receivers are notified of. `withdrawn`: the chain went back, and on its new branch the alert never began. */
export type AlertEvent = 'started' | 'ended' | 'withdrawn'

export type Observation = {
  /** Null if the value is not known: it starts nothing, and ends only what began on a branch that is gone. */
  readonly isBad: boolean | null
  /** False for a value that is not bad and is near the threshold all the same: it ends nothing. @default true */
  readonly isClear?: boolean | undefined
  /** Minutes for which it has to be bad. */
  readonly minutes: number
  readonly nowMs: number
  readonly tip: { readonly height: number; readonly nextHash: string } | null
  /** True if the macroblock that the alert began with is not on the chain any more. */
  readonly isUndone: boolean
}

/** Time, in ms, for which one start keeps an alert busy. */
const START_MS = 3_600_000
/** Starts that may follow each other at once; an alert with more goes on: a value that swings makes few messages. */
const MOST_STARTS = 2

export const quietAlert: AlertState = {
  ...{ state: 'quiet', sinceMs: null, height: null, nextHash: null, episode: 0 },
}

/** Decides what becomes of a rule: pure, so that the same look at the same rows decides the same. */
export function nextAlert(
  before: AlertState,
  { isBad, isClear = true, minutes, nowMs, tip, isUndone }: Observation,
): { readonly after: AlertState; readonly event: AlertEvent | null } {
  if (isBad === null && !isUndone) return { after: before, event: null }
  if (!isBad) {
    if (before.state === 'quiet') return { after: before, event: null }
    if (before.state === 'pending')
      return {
        after: { ...quietAlert, episode: before.episode, busyUntilMs: before.busyUntilMs },
        event: null,
      }
    const isSwinging = (before.busyUntilMs ?? 0) - nowMs > MOST_STARTS * START_MS
    if (!isUndone && (!isClear || isSwinging)) return { after: before, event: null }
    const after: AlertState = { ...quietAlert, episode: before.episode, busyUntilMs: before.busyUntilMs }
    return { after, event: isUndone ? 'withdrawn' : 'ended' }
  }
  const at = { height: tip?.height ?? null, nextHash: tip?.nextHash ?? null }
  // It began on this branch too, so that its end is an end.
  if (before.state === 'active') return { after: isUndone ? { ...before, ...at } : before, event: null }
  const sinceMs = before.sinceMs ?? nowMs
  if (nowMs - sinceMs < minutes * 60_000)
    return { after: { ...before, state: 'pending', sinceMs }, event: null }
  const busyUntilMs = Math.max(before.busyUntilMs ?? nowMs, nowMs) + START_MS
  return {
    after: { state: 'active', sinceMs, ...at, episode: before.episode + 1, busyUntilMs },
    event: 'started',
  }
}

/**
 * Reconnect delays. Measured on 10,000 nodes against one restarting gateway: using the whole of the first five
 * seconds spreads the return, and the doubling ceiling keeps a dead gateway from being hammered.
 */

const FIRST_SPREAD_MS = 5_000
const MIN_MS = 1_000
const STEP_MS = 2_000
const CEILING_MS = 20_000

const CONTESTED_LEAST_MS = 60_000
const CONTESTED_CEILING_MS = 960_000
const CONTESTED_SPREAD_MS = 30_000

/**
 * Milliseconds before the next connection, at most 21,000.
 *
 * @param parameters.failures connections in a row without a valid beacon, not counting this one
 * @param parameters.random uniform in [0, 1)
 */
export function reconnectDelayMs(parameters: { readonly failures: number; readonly random: number }): number {
  const { failures, random } = parameters
  if (failures === 0) return random * FIRST_SPREAD_MS
  return MIN_MS + random * Math.min(CEILING_MS, STEP_MS * 2 ** failures)
}

/** To a gateway that was not tried yet: soon, and spread enough not to run it over. @param random in [0, 1) */
export const failoverDelayMs = (random: number): number => random * 1_500

/** After something that happened to this machine alone: it woke up, or its network is back. */
export const localDelayMs = (random: number): number => random * 500

/** A refusal that will not pass by itself: a minute or two. @param random uniform in [0, 1) */
export const refusedDelayMs = (random: number): number => 60_000 + random * 60_000

/** Delay before a reconnect while the gateway may still hold our own last session. Used once, instead of an alarm. */
export const lingeringDelayMs = (random: number): number => 10_000 + random * 5_000

/** Delays requested by a server, in milliseconds. */
export type RetryHint = {
  readonly retryAfterMs: number
  /** Over which the clients should spread. @default 5000 */
  readonly windowMs?: number | undefined
}

const MAX_ASKED_MS = 300_000

const within = (ms: number): number => Math.min(MAX_ASKED_MS, Math.max(0, ms))

/** Returns the delay requested by the server. Wait and spread are clamped to five minutes each. */
export const hintedDelayMs = (hint: RetryHint, random: number): number =>
  within(hint.retryAfterMs) + random * within(hint.windowMs ?? FIRST_SPREAD_MS)

/**
 * Milliseconds before a gateway that refused the key or the version is tried again: at least a minute and growing, so
 * that two devices do not evict each other for ever (PROTOCOL 5.2).
 *
 * @param parameters.times in a row, not counting this one
 */
export function contestedDelayMs(parameters: { readonly times: number; readonly random: number }): number {
  const { times, random } = parameters
  return Math.min(CONTESTED_CEILING_MS, CONTESTED_LEAST_MS * 2 ** times) + random * CONTESTED_SPREAD_MS
}

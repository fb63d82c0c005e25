import { type Exit, exits } from './exit-codes.ts'

/** Exit of a process as the system reports it. */
export type ProcessEnd = {
  /** Null when a signal ended it, or when it could not be started. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Reaction to a miner that ended. */
export type Verdict =
  | { readonly kind: 'end'; readonly exit: Exit }
  | {
      readonly kind: 'restart'
      /** One sentence that says what happened. */
      readonly reason: string
      readonly waitMs: number
      /** Deaths in a row, this one included. */
      readonly deaths: number
    }
  | { readonly kind: 'give up'; readonly reason: string; readonly exit: Exit }

/** A miner that lived as long is not one that dies again and again. */
const SOUND_LIFE_MS = 60_000
/** Deaths in a row, none of which had a sound life before it. */
export const MAX_DEATHS = 10
/** Keeps a first restart below two seconds, start of the process included. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000

/** Somebody asked the miner itself to end, before it could listen. */
const ASKED = new Set<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])

const reasons: { readonly [S in NodeJS.Signals]?: string } = {
  SIGABRT: 'it ran out of memory, or aborted',
  SIGKILL: 'it was killed, by hand or by a system that is short of memory',
}

/**
 * Judges how a miner ended. Whatever has a number of its own ended in order: it was asked to, or trying again does not
 * help. Everything else is a death, after which it is started again: at once, and later each time when it dies at once.
 * Pure.
 *
 * @param before deaths in a row so far
 */
export function judgeEnd(end: ProcessEnd, before: number, livedMs: number): Verdict {
  const { code, signal } = end
  if (signal !== null && ASKED.has(signal)) return { kind: 'end', exit: exits.ok }
  const exit = Object.values<Exit>(exits).find(({ number }) => number === code)
  if (exit !== undefined && exit !== exits.unexpected) return { kind: 'end', exit }
  const deaths = (livedMs < SOUND_LIFE_MS ? before : 0) + 1
  const reason = reasonOf(end)
  if (deaths >= MAX_DEATHS) return { kind: 'give up', reason, exit: exits.keepsDying }
  return {
    kind: 'restart',
    reason,
    waitMs: Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (deaths - 1)),
    deaths,
  }
}

function reasonOf({ code, signal }: ProcessEnd): string {
  if (signal !== null) return `${reasons[signal] ?? 'it crashed'} (${signal})`
  return code === null ? 'it could not be started' : `it failed with ${code}`
}

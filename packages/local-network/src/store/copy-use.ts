import { setImmediate } from 'node:timers/promises'
import { isConnectionLoss } from '@hailstone/database'
import { type Logger, reasonOf } from '../logger.ts'
import { within } from '../within.ts'

/** Longest time that a read waits for a copy, in ms; then the primary answers. */
const LIMIT_MS = 300
/**
 * Time limits of a statement on a copy, in ms. The copy ends one that takes long by itself before its read is late. The
 * connection of a copy that does not answer is cut when nobody waits for it any more.
 */
export const copyLimits = { serverLimitMs: 250, limitMs: 1000 }
/** The same for the question whether a copy is back, for which nobody waits, in ms. A connection may have to be made. */
const PROBE_LIMIT_MS = 3000
/** Time for which a copy that failed is left alone, in ms; it doubles with each failed probe. */
const FIRST_REST_MS = 250
const LONGEST_REST_MS = 10_000
/** A copy that is of no use for so long is reported. Each new macroblock takes a moment to arrive there. In ms. */
const REPORT_AFTER_MS = 1500

/** SQLSTATE of a server that is not ready yet; whoever waits for the same statement is refused at once. */
const NOT_READY = '57P03'

/** SQLSTATE of a statement that the server ended for its time limit. */
const ENDED = '57014'
/** Set on the error of a read that took too long, which may be the fault of its question. */
const LATE = Symbol('late')

/** Returns the error of a copy that answers, and is at another place of the chain. */
export const notReady = (reason: string): Error => Object.assign(new Error(reason), { code: NOT_READY })

/** Decides whether a copy of the database is asked. */
export type CopyUse = {
  readonly isInUse: () => boolean
  /** Runs a read. @throws {Error} that of the read; one of a lost connection if it takes too long */
  readonly within: <Answer>(read: () => Promise<Answer>) => Promise<Answer>
  /**
   * Leaves the copy alone until it has answered a probe: at once after a read that was late, else after a rest. A
   * statement that the copy ended for its time limit counts against the copy only if a probe fails as well.
   */
  readonly fail: (error: unknown) => void
  /**
   * Returns `in use`, or why the copy is of no use, or that it is not in use at the moment, as after each macroblock.
   * Without names of hosts, since everybody may read it.
   */
  readonly state: () => string
  readonly close: () => void
}

const IN_USE = 'in use'

/** Runs what takes no longer than a limit. An answer that arrived while this process was busy is not late. */
const withinLimit = <Answer>(limitMs: number, read: () => Promise<Answer>): Promise<Answer> =>
  within(limitMs, read(), async () => {
    await setImmediate()
    throw Object.assign(notReady(`no answer in ${limitMs} ms`), { [LATE]: true })
  })

/** Says what is wrong with a copy in words that anybody may read. */
function publicReason(error: unknown): string {
  const { code = '', message } = error as { readonly code?: string; readonly message?: string }
  if (code === NOT_READY && message !== undefined) return message
  return isConnectionLoss(error) ? 'it does not answer' : `it refuses (SQLSTATE ${code || 'unknown'})`
}

/**
 * Creates the decision for one copy. One that failed is probed by nobody's read, once after each rest; reads go to the
 * primary meanwhile. A state that lasts is logged once.
 *
 * @param parameters.probe asks the copy something; rejects if it is of no use
 */
export function createCopyUse(parameters: {
  readonly probe: () => Promise<unknown>
  readonly logger: Logger
}): CopyUse {
  const { probe, logger } = parameters
  let failing: { readonly sinceMs: number; restMs: number; reason: string } | null = null
  let isReported = false
  let isDoubted = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function probeLater(restMs: number): void {
    timer = setTimeout(() => void ask(), restMs)
    timer.unref()
  }

  function report(error: unknown, reason: string): void {
    isReported = true
    const advice = 'reads go to the database itself until it is'
    logger.warn('the copy for reads is not in use', { reason, said: reasonOf(error), advice })
  }

  async function ask(): Promise<void> {
    const error = await withinLimit(PROBE_LIMIT_MS, probe).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (isClosed || failing === null) return
    if (error === null) {
      failing = null
      if (isReported) logger.info('the copy for reads is in use again')
      isReported = false
      return
    }
    failing.reason = publicReason(error)
    if (!isReported && performance.now() - failing.sinceMs >= REPORT_AFTER_MS) report(error, failing.reason)
    failing.restMs = Math.min(2 * failing.restMs, LONGEST_REST_MS)
    probeLater(failing.restMs)
  }

  function leaveAlone(error: unknown): void {
    if (failing !== null || isClosed) return
    failing = { sinceMs: performance.now(), restMs: FIRST_REST_MS, reason: publicReason(error) }
    // Its question may have been the reason, with which nothing is wrong with the copy.
    if (LATE in Object(error)) void ask()
    else probeLater(FIRST_REST_MS)
  }

  async function doubt(): Promise<void> {
    if (isDoubted || failing !== null || isClosed) return
    isDoubted = true
    await withinLimit(PROBE_LIMIT_MS, probe).catch(leaveAlone)
    isDoubted = false
  }

  // One that is away when the process starts is found without a read.
  void withinLimit(PROBE_LIMIT_MS, probe).catch(leaveAlone)
  return {
    fail(error) {
      if ((error as { readonly code?: string }).code === ENDED) void doubt()
      else leaveAlone(error)
    },
    isInUse: () => failing === null,
    within: (read) => withinLimit(LIMIT_MS, read),
    state() {
      if (failing === null) return IN_USE
      return isReported ? failing.reason : 'not in use at the moment'
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

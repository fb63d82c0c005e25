import type { LeaderQuestion, VerifyLeader } from './leader-check.ts'

/** A thread that answers questions in their order of asking, as each platform opens one. */
type LeaderThread = {
  readonly ask: (question: LeaderQuestion) => void
  readonly end: () => void
}

export type OpenLeaderThread = (handlers: {
  readonly answered: (isValid: boolean) => void
  /** It could not be started, or has ended; nothing more comes from it. */
  readonly ended: () => void
}) => LeaderThread

/** After so many ends without an answer the platform is taken to have no threads. */
const FAILURES_LIMIT = 3
/** A thread that nobody asks is ended; the next question opens another. */
const IDLE_MS = 30_000

type Waiting = { readonly question: LeaderQuestion; readonly resolve: (isValid: boolean) => void }

/**
 * Verifies leaders' signatures on a thread of its own, 15 ms each that no page and no socket has to wait for. What
 * was asked of a thread that died is asked of the next; where threads cannot be had, this one does the work.
 *
 * @param parameters.verifyHere loads the arithmetic and uses it on this thread
 */
export function createLeaderVerifier(parameters: {
  readonly openThread: OpenLeaderThread
  readonly verifyHere: VerifyLeader
  /** Starts a timer that keeps nothing alive. */
  readonly later: (delayMs: number, callback: () => void) => () => void
}): VerifyLeader {
  const { openThread, verifyHere, later } = parameters
  let thread: LeaderThread | null = null
  let waiting: Waiting[] = []
  let failures = 0
  let endIdle: () => void = () => undefined

  function restIfIdle(): void {
    if (waiting.length > 0) return
    endIdle = later(IDLE_MS, () => {
      thread?.end()
      thread = null
    })
  }

  function open(): LeaderThread {
    const opened = openThread({
      answered: (isValid) => {
        failures = 0
        waiting.shift()?.resolve(isValid)
        restIfIdle()
      },
      ended: () => {
        if (thread !== opened) return
        thread = null
        failures++
        askAgain()
      },
    })
    return opened
  }

  function askAgain(): void {
    const unanswered = waiting
    waiting = []
    for (const one of unanswered) send(one)
  }

  function send(one: Waiting): void {
    endIdle()
    if (failures >= FAILURES_LIMIT) {
      // What cannot be verified is not signed.
      void verifyHere(one.question)
        .catch(() => false)
        .then(one.resolve)
      return
    }
    waiting.push(one)
    thread ??= open()
    thread.ask(one.question)
  }

  return (question) => new Promise((resolve) => send({ question, resolve }))
}

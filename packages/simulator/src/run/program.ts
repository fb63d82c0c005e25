import type { Clock } from '@hailstone/client'
import { onAbort } from './on-abort.ts'
import type { Run } from './run.ts'

/** Promise that never settles, for programs that were killed. */
const never = <T>(): Promise<T> => new Promise(() => undefined)

/** 2023-11-14, an arbitrary instant. */
const EPOCH_MS = 1_700_000_000_000

/**
 * One life of a program, from its start to its end or kill. All its input and output goes through here: after a kill
 * nothing reaches it, and nothing of it reaches the world.
 */
export type Program = {
  readonly name: string
  readonly clock: Clock
  readonly isOver: () => boolean
  /** `kill -9`: nothing is closed or written any more. */
  readonly kill: (how: string) => void
  /** Called after a regular end. */
  readonly end: () => void
  /** Called when it is killed, before anything else happens. */
  readonly onKill: (callback: () => void) => void
  /** Delivers input of the world, at once or after the freeze; never to a dead program. */
  readonly deliver: (callback: () => void) => void
  /** Waits for an operation of the world; never settles if the program is dead by then. */
  readonly outside: <T>(doing: () => Promise<T>) => Promise<T>
  /** Suspends the program: SIGSTOP, or a machine that sleeps. */
  readonly freeze: (ms: number) => void
  readonly isFrozen: () => boolean
  /** Time since when it runs without a freeze, in ms. */
  readonly runsSinceMs: () => number
  /** Shifts the wall clock. */
  readonly shiftWallClock: (byMs: number) => void
  /** Number of its pending timers. */
  readonly timers: () => number
}

export function startProgram(run: Run, name: string): Program {
  const { time } = run
  const timers = new Set<() => void>()
  const dying: (() => void)[] = []
  const startedAtMs = time.now()
  let isOver = false
  let frozenUntilMs = 0
  let wallShiftMs = 0

  function after(delayMs: number, callback: () => void): () => void {
    let takeBack: () => void = () => undefined
    const end = (): void => {
      timers.delete(end)
      takeBack()
    }
    const due = (): void => {
      if (time.now() < frozenUntilMs) {
        takeBack = time.after(frozenUntilMs - time.now(), due)
        return
      }
      timers.delete(end)
      callback()
    }
    takeBack = time.after(delayMs, due)
    timers.add(end)
    return end
  }

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isOver) return
      if (signal?.aborted) return reject(signal.reason)
      const takeBack = after(ms, () => {
        leave()
        resolve()
      })
      const leave = onAbort(signal, () => {
        takeBack()
        reject(signal?.reason)
      })
    })

  const clock: Clock = {
    now: () => EPOCH_MS + time.now() + wallShiftMs,
    monotonicMs: () => time.now(),
    sleep,
  }

  return {
    name,
    clock,
    isOver: () => isOver,
    kill: (how) => {
      if (isOver) return
      run.fault(name, `killed ${how}`)
      isOver = true
      for (const callback of dying) callback()
      for (const end of [...timers]) end()
    },
    end: () => {
      isOver = true
    },
    onKill: (callback) => void dying.push(callback),
    deliver: (callback) => {
      const hand = (): void => {
        if (isOver) return
        if (time.now() < frozenUntilMs) time.after(frozenUntilMs - time.now(), hand)
        else callback()
      }
      hand()
    },
    outside: async (doing) => {
      if (isOver) return never()
      try {
        const result = await doing()
        return isOver ? await never() : result
      } catch (error) {
        if (isOver) return never()
        throw error
      }
    },
    freeze: (ms) => {
      run.fault(name, `frozen for ${ms} ms`)
      frozenUntilMs = Math.max(frozenUntilMs, time.now() + ms)
    },
    isFrozen: () => time.now() < frozenUntilMs,
    runsSinceMs: () => Math.max(startedAtMs, frozenUntilMs),
    shiftWallClock: (byMs) => {
      run.fault(name, `wall clock moved by ${byMs} ms`)
      wallShiftMs += byMs
    },
    timers: () => timers.size,
  }
}

import type { Delivered, Mutation } from '../mutation.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import type { WatchPlot } from './watch-plot.ts'

/** Callbacks of a program. */
export type Listeners = {
  /** Hands something to the program, which may be slow, throw, and be killed right after. */
  readonly listener: <T>(tell: (told: T) => void, kind: Delivered) => (told: T) => Promise<void>
  /** The same for listeners that nobody waits for. */
  readonly heard: <T>(tell: (told: T) => void, kind: Delivered) => (told: T) => void
  /** Number of callbacks that run. */
  readonly working: () => number
}

export function createListeners(parameters: {
  readonly run: Run
  readonly mutation: Mutation
  readonly plot: WatchPlot
  readonly program: Program
  readonly isCalm: () => boolean
  readonly onTold: () => void
}): Listeners {
  const { run, mutation, plot, program, isCalm, onTold } = parameters
  const { chance, time } = run
  // Hundreds of rewards take their time.
  const slowness = chance.pick([0, 0, 50, plot.backlog > 20 || plot.behindAtFirst > 0 ? 200 : 2_000])
  let working = 0

  const work = (): Promise<void> =>
    new Promise((done) => {
      working++
      const end = (): void => {
        working--
        done()
      }
      time.after(chance.ms(0, slowness), () => program.deliver(end))
    })

  function taking<T>(tell: (told: T) => void, kind: Delivered): (told: T) => void {
    const deliver = mutation.delivery?.(tell, program, kind) ?? tell
    return (told) => {
      deliver(told)
      if (!isCalm()) onTold()
    }
  }

  const isThrown = (): boolean => !isCalm() && chance.is(plot.throws)

  return {
    listener: (tell, kind) => {
      const take = taking(tell, kind)
      return async (told) => {
        if (slowness > 0) await work()
        if (isThrown()) throw new Error('a listener throws')
        take(told)
      }
    },
    heard: (tell, kind) => {
      const take = taking(tell, kind)
      return (told) => {
        take(told)
        if (isThrown()) throw new Error('a listener throws')
      }
    },
    working: () => working,
  }
}

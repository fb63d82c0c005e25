import type { Mutation } from '../mutation.ts'
import type { Client, CursorStore } from '../real.ts'
import { type Program, startProgram } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { type CursorShelf, createCursorShelf } from '../world/cursor-shelf.ts'
import { createListeners, type Listeners } from './listeners.ts'
import type { ToldBook, ToldMark } from './told-book.ts'
import type { WatchPlot } from './watch-plot.ts'
import type { WatchedWorld } from './watched-world.ts'

/** A book, and whether a cursor is the one that says how far its watch came. */
export type KeptBook = {
  readonly name: string
  readonly book: ToldBook
  readonly isOf: (cursor: string) => boolean
  /** Another text without which its watch does not go on, by the height of the open key block. */
  readonly partOf?: ((height: number) => string) | undefined
  /** True if a macroblock that was not told to its end is told again, also after a stop. */
  readonly isToldWhole?: boolean | undefined
}

/** What a program is given. */
export type Given = Pick<Listeners, 'listener' | 'heard'> & {
  readonly program: Program
  readonly client: Client
  readonly store: CursorStore
}

/** What a program does that was started; resolves when it is stopped. */
export type Started = { readonly stop: () => Promise<void> }

/** The lives of one program: it is killed, frozen, stopped and started again while there are faults. */
export type Lives = {
  readonly shelf: CursorShelf<ToldMark | null>
  readonly begin: () => void
  /** The program is left alone from now on. */
  readonly calm: () => void
  readonly isCalm: () => boolean
  readonly program: () => Program | null
  /** Stops the program that runs; false if it does not end in time. */
  readonly end: () => Promise<boolean>
}

type Life = Started & Pick<Listeners, 'working'> & { readonly program: Program }

const STOPS_WITHIN_MS = 20_000
const MAX_EVENTS = 20_000

export function createLives(parameters: {
  readonly run: Run
  readonly mutation: Mutation
  readonly plot: WatchPlot
  readonly world: WatchedWorld
  readonly books: readonly KeptBook[]
  readonly start: (given: Given) => Started
}): Lives {
  const { run, mutation, plot, world, books, start } = parameters
  const { chance, time } = run
  const shelf = createCursorShelf<ToldMark | null>(run)
  shelf.failureRate = plot.failingStore
  let isCalm = false
  let lives = 0
  let life: Life | null = null
  /** Cancels the start after a kill. */
  let cancelStart = (): void => undefined

  const bookOf = (cursor: string): ToldBook | undefined => books.find(({ isOf }) => isOf(cursor))?.book
  const markOf = ({ isOf }: KeptBook): ToldMark | null => {
    const cursor = shelf.names().find(isOf)
    return (cursor === undefined ? undefined : shelf.mark(cursor)) ?? null
  }

  /** The books go back to where the cursors are, which is no other place after a stop. */
  function goOn(isStopped: boolean): void {
    for (const one of books) {
      const mark = markOf(one)
      if (mark === null) one.book.begins()
      else if (!isStopped || plot.failingStore > 0) one.book.goesOnFrom(mark)
      else if (one.isToldWhole === true) one.book.goesOnWhole(mark)
    }
  }

  function live(): void {
    const program = startProgram(run, `watcher.${++lives}`)
    const client = world.balancer.clientOf(
      program,
      (sent) => mutation.transport?.(sent, program, run) ?? sent,
    )
    const kept = shelf.of(program, (cursor) => bookOf(cursor)?.mark() ?? null)
    const store = mutation.cursors?.(kept, program, run) ?? kept
    const onTold = (): void => {
      if (chance.is(plot.killedWhenTold)) time.after(chance.ms(0, 40), () => kill(program, 'when told'))
    }
    const listeners = createListeners({ run, mutation, plot, program, isCalm: () => isCalm, onTold })
    const { stop } = start({ program, client, store, ...listeners })
    life = { program, stop, working: listeners.working }
    if (!isCalm) endanger(life)
  }

  function endanger({ program, stop, working }: Life): void {
    const fate = chance.pick(['stays', 'killed', 'killed', 'stopped'] as const)
    const atMs = chance.ms(0, 120_000)
    if (fate === 'killed') time.after(atMs, () => kill(program, 'by time'))
    if (fate === 'stopped') time.after(atMs, () => void stopAndStart({ program, stop, working }))
    const soon = (doing: () => void): void =>
      void time.after(chance.ms(0, 90_000), () => isCalm || program.isOver() || doing())
    if (chance.is(0.2)) soon(() => program.freeze(chance.ms(100, 90_000)))
    if (chance.is(0.2)) soon(() => program.shiftWallClock(chance.pick([-3.6e6, 3.6e6])))
  }

  function kill(program: Program, how: string): void {
    if (program.isOver() || isCalm) return
    program.kill(how)
    const copy = chance.is(plot.restored) ? shelf.anyCopy() : null
    cancelStart = time.after(chance.ms(100, 60_000), () => {
      if (copy !== null) {
        run.fault('disk', 'an older copy of the cursors is restored')
        shelf.restore(copy)
      }
      goOn(false)
      live()
    })
  }

  async function stopAndStart({ program, stop, working }: Life): Promise<void> {
    if (program.isOver() || isCalm) return
    run.fault('app', 'stops')
    await stop()
    const next = (): void => {
      // Killed meanwhile, and started again after that.
      if (program.isOver()) return
      // Going on before the last callback is done may repeat its delivery.
      if (working() > 0) return void time.after(1_000, next)
      program.end()
      goOn(true)
      live()
    }
    time.after(chance.ms(500, 60_000), next)
  }

  return {
    shelf,
    begin: () => {
      goOn(false)
      live()
    },
    calm: () => {
      isCalm = true
      shelf.failureRate = 0
    },
    isCalm: () => isCalm,
    program: () => life?.program ?? null,
    end: async () => {
      cancelStart()
      const { program, stop } = life ?? {}
      if (program === undefined || stop === undefined || program.isOver()) return true
      let isStopped = false
      void stop().then(() => {
        isStopped = true
      })
      await time.run({
        // A freeze may last longer than the faults.
        untilMs: Math.max(time.now(), program.runsSinceMs()) + STOPS_WITHIN_MS,
        isDone: () => isStopped,
        maxEvents: MAX_EVENTS,
      })
      if (isStopped && program.timers() > 0)
        run.violate('I4', `${program.timers()} timers are left after stop`)
      program.end()
      return isStopped
    },
  }
}

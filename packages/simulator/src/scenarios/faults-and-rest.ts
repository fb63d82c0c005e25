import type { NodeError } from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import type { KeptBook, Lives } from './lives.ts'
import type { WatchPlot } from './watch-plot.ts'
import type { WatchedWorld } from './watched-world.ts'

/** A run of a scenario that watches. */
export type Playing = {
  readonly run: Run
  readonly plot: WatchPlot
  readonly world: WatchedWorld
  readonly lives: Lives
  /** Called when faults end. */
  readonly onCalm?: (() => void) | undefined
  /** Called when nobody is to earn any more. */
  readonly onSettle?: (() => void) | undefined
}

/** When what was booked has been told. */
export type Rest = {
  /** What was booked up to a time and is not told yet. */
  readonly late: (bookedUntilMs: number) => readonly string[]
  readonly isComplete: () => boolean
  readonly judge: () => void
}

/** Duration of the faults, in ms. */
const FAULTY_MS = 240_000
/** Time after the last fault in which everything booked until then is told, in ms: 32 macroblocks. */
const TOLD_WITHIN_MS = 480_000
/** Time on top of it for each macroblock that a watch is behind at its beginning, in ms. */
const TOLD_EACH_MS = 2_000
/** Time in which the rest is told once all nodes have it, in ms. */
const REST_MS = 300_000
/** What is told twice may be told late. */
const AFTERWARDS_MS = 40_000
/** Time in which damage is noticed, in ms. */
const NOTICED_MS = 100_000
const STEP_MS = 5_000
const MAX_EVENTS = 20_000

/** Lets one thing after another fail, then none, and judges what was told. */
export async function playFaults(playing: Playing, rest: Rest): Promise<void> {
  const { run, plot, world, lives } = playing
  const { chance, time } = run
  const pace = chance.pick([5_000, 20_000])
  const turn = (): void => {
    if (lives.isCalm()) return
    world.balancer.disturb()
    time.after(chance.ms(pace / 5, pace * 4), turn)
  }
  time.after(chance.ms(0, 10_000), turn)
  if (plot.standsStill)
    time.after(chance.ms(0, 120_000), () => world.balancer.standStill(chance.ms(60_000, 240_000)))
  lives.begin()
  await until(run, FAULTY_MS, () => false)
  lives.calm()
  world.calm()
  playing.onCalm?.()
  run.note('faults', 'calm')
  const calmAtMs = time.now()
  const withinMs = TOLD_WITHIN_MS + TOLD_EACH_MS * plot.behindAtFirst
  await until(run, withinMs, () => rest.late(calmAtMs).length === 0)
  const late = rest.late(calmAtMs)
  if (late.length > 0)
    run.violate('I4', `no rest ${withinMs} ms after the last fault: ${late.length} are not told, ${late[0]}`)
  world.settle()
  playing.onSettle?.()
  // What is in the open macroblock is still to be booked.
  const { height } = world.chain
  await until(run, REST_MS, () => world.chain.height > height && rest.isComplete())
  await until(run, AFTERWARDS_MS, () => false)
  rest.judge()
  if (!(await lives.end())) run.violate('I4', 'it does not stop')
  if (plot.endsWith === 'nothing') world.producer.stop()
}

/** A program that begins with half a cursor says so, and tells nothing as new. */
export async function judgeDamage(
  { run, plot, world, lives }: Playing,
  given: { readonly books: readonly KeptBook[]; readonly reported: readonly NodeError[] },
): Promise<void> {
  if (plot.endsWith === 'nothing') return
  const { shelf } = lives
  const { name, book, isOf, partOf } = run.chance.pick(given.books as [KeptBook, ...KeptBook[]])
  const part = partOf?.(world.chain.height)
  const isPart = part !== undefined && run.chance.is(0.5) && shelf.names().includes(part)
  const cursor = isPart ? part : shelf.names().find(isOf)
  if (cursor !== undefined) {
    run.fault('disk', `${cursor} is cut in half`)
    shelf.cutInHalf(cursor)
    world.earnAgain()
    lives.begin()
    const [before, errors] = [book.mark().newest, given.reported.length]
    await until(run, NOTICED_MS, () => false)
    if (book.mark().newest !== before)
      run.violate('I5', `${name}: told from half a cursor, which is no beginning`)
    if (!given.reported.slice(errors).some(({ code }) => code.startsWith('CURSOR')))
      run.violate('I4', `${name}: half a cursor is not reported`)
    if (!(await lives.end())) run.violate('I4', 'it does not stop')
  }
  world.producer.stop()
}

/** Runs until something holds, which is looked at every few seconds. */
async function until(run: Run, withinMs: number, isSo: () => boolean): Promise<void> {
  const { time } = run
  const endMs = time.now() + withinMs
  while (time.now() < endMs && !isSo()) {
    const untilMs = Math.min(endMs, time.now() + STEP_MS)
    const end = await time.run({ untilMs, isDone: () => false, maxEvents: MAX_EVENTS })
    if (end === 'endless') return run.violate('I4', 'it does not come to rest')
  }
}

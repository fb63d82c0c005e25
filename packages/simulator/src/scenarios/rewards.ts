import { isNodeError } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import {
  type ClientCore,
  type CursorStore,
  type Reward,
  type Watch,
  watchBalance,
  watchReferralRewards,
  watchRewards,
} from '../real.ts'
import { type Program, startProgram } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { friend, miner } from '../world/accounts.ts'
import { type CursorShelf, createCursorShelf } from '../world/cursor-shelf.ts'
import { type BalanceBook, createBalanceBook } from './balance-book.ts'
import type { BookedLine } from './booked-lines.ts'
import { createToldBook, type Told, type ToldBook } from './told-book.ts'
import { drawWatchPlot, type WatchPlot } from './watch-plot.ts'
import { createWatchedWorld, type WatchedWorld } from './watched-world.ts'

/** Time of the last fault after the beginning, in ms. */
const FAULTY_MS = 240_000
/** Time after the last fault in which everything booked until then is told, in ms. */
const TOLD_WITHIN_MS = 480_000
/** Time in which the rest is told once all nodes have it, in ms. */
const REST_MS = 300_000
const STOPS_WITHIN_MS = 20_000
/** In one stretch of five seconds. */
const MAX_EVENTS = 20_000

/** A watch of rewards, and the book of what it told. */
type Watching = {
  readonly name: string
  readonly watch: typeof watchRewards
  readonly address: typeof miner.address
  readonly from: number | 'now'
  readonly book: ToldBook
}

/** A run of the scenario, and how far it is. */
type Stage = {
  readonly run: Run
  readonly mutation: Mutation
  readonly plot: WatchPlot
  readonly world: WatchedWorld
  readonly shelf: CursorShelf<Told | null>
  readonly watchings: readonly Watching[]
  readonly balance: BalanceBook
  isCalm: boolean
  lives: number
  /** Callbacks of the program that run. */
  working: number
  life: Life | null
}

type Life = { readonly program: Program; readonly stop: () => Promise<void> }

/**
 * A program watches what accounts earn, through an address behind which nodes of one chain are some macroblocks apart,
 * start, stand still and follow forks, while it is killed, frozen, and started again from older copies of its cursors.
 * At the end every reward was told once, and what a fork took was taken back.
 */
export async function rewards(run: Run, mutation: Mutation): Promise<void> {
  const { time } = run
  const stage = await createStage(run, mutation)
  const { world, watchings, balance } = stage
  goOn(stage)
  live(stage)
  disturb(stage)
  await until(stage, FAULTY_MS, () => false)
  stage.isCalm = true
  stage.shelf.failureRate = 0
  world.calm()
  run.note('faults', 'calm')
  const calmAtMs = time.now()
  const late = (): readonly string[] =>
    watchings.flatMap(({ name, book }) =>
      book.missing(world.chain, calmAtMs).map((what) => `${name}: ${what}`),
    )
  await until(stage, TOLD_WITHIN_MS, () => late().length === 0)
  if (late().length > 0)
    run.violate(
      'I4',
      `no rest: ${late().length} are not told ${TOLD_WITHIN_MS} ms after the last fault, ${late()[0]}`,
    )
  world.settle()
  const isComplete = (): boolean =>
    balance.isComplete(world.chain) &&
    watchings.every(({ book }) => book.missing(world.chain, Number.POSITIVE_INFINITY).length === 0)
  await until(stage, REST_MS, isComplete)
  // What is told twice may be told late.
  await until(stage, 40_000, () => false)
  for (const { book } of watchings) book.judge(world.chain)
  balance.judge(world.chain)
  await end(stage)
  world.producer.stop()
  if (stage.shelf.everything().includes(miner.canary)) run.violate('I3', 'the key is in a cursor')
}

/** Runs until something holds, which is looked at every few seconds. */
async function until({ run }: Stage, withinMs: number, isSo: () => boolean): Promise<void> {
  const { time } = run
  const endMs = time.now() + withinMs
  while (time.now() < endMs && !isSo()) {
    const untilMs = Math.min(endMs, time.now() + 5_000)
    const end = await time.run({ untilMs, isDone: () => false, maxEvents: MAX_EVENTS })
    if (end === 'endless') return run.violate('I4', 'it does not come to rest')
  }
}

async function createStage(run: Run, mutation: Mutation): Promise<Stage> {
  const plot = drawWatchPlot(run)
  run.note('plot', JSON.stringify(plot))
  const balance = createBalanceBook(run)
  const world = await createWatchedWorld(run, plot, {
    onClosed: balance.closed,
    inspect: ({ method, path, query = '' }) => {
      if (method === 'POST') run.violate('I1', `a watcher posts to ${path}`)
      if (query.includes(miner.canary)) run.violate('I3', 'the key is in a request')
    },
  })
  const shelf = createCursorShelf<Told | null>(run)
  shelf.failureRate = plot.failingStore
  const watching = (
    name: string,
    given: Pick<Watching, 'watch' | 'address' | 'from'>,
    isOfType: (line: BookedLine) => boolean,
  ): Watching => {
    const isMeant = (line: BookedLine): boolean => line.address === given.address && isOfType(line)
    const book = createToldBook({ run, name, lines: world.lines, isMeant, isFromNow: given.from === 'now' })
    return { ...given, name, book }
  }
  const isReferral = ({ recordType }: BookedLine): boolean => recordType === 'iref'
  const watchings = [
    watching('all', { watch: watchRewards, address: miner.address, from: -1 }, () => true),
    watching('new', { watch: watchRewards, address: miner.address, from: 'now' }, () => true),
    watching('referrals', { watch: watchReferralRewards, address: friend.address, from: -1 }, isReferral),
  ].filter(({ name }) => plot.watches.some((one) => one === name))
  return {
    ...{ run, mutation, plot, world, shelf, watchings, balance },
    ...{ isCalm: false, lives: 0, working: 0, life: null },
  }
}

/** Lets one thing after another fail, and the program be killed, stopped and moved. */
function disturb(stage: Stage): void {
  const { run, plot, world } = stage
  const { chance, time } = run
  const pace = chance.pick([5_000, 20_000])
  const turn = (): void => {
    if (stage.isCalm) return
    world.balancer.disturb()
    time.after(chance.ms(pace / 5, pace * 4), turn)
  }
  time.after(chance.ms(0, 10_000), turn)
  if (plot.standsStill)
    time.after(chance.ms(0, 120_000), () => world.balancer.standStill(chance.ms(60_000, 240_000)))
}

function live(stage: Stage): void {
  const { run, mutation, world, shelf, watchings } = stage
  const { chance, time } = run
  const program = startProgram(run, `watcher.${++stage.lives}`)
  const client = world.balancer.clientOf(program, (sent) => mutation.transport?.(sent, program, run) ?? sent)
  const bookOf = (name: string): ToldBook | undefined => watchings.find((one) => one.name === name)?.book
  const kept = shelf.of(program, (name) => bookOf(name)?.mark() ?? null)
  const store = mutation.cursors?.(kept, program, run) ?? kept
  const watches = watchAll(stage, program, client, store)
  const stop = async (): Promise<void> => {
    await Promise.all(watches.map((one) => one.stop()))
    if (program.timers() > 0) run.violate('I4', `${program.timers()} timers are left after stop`)
  }
  stage.life = { program, stop }
  if (stage.isCalm) return
  const fate = chance.pick(['stays', 'killed', 'killed', 'stopped'] as const)
  const atMs = chance.ms(0, 120_000)
  if (fate === 'killed') time.after(atMs, () => kill(stage, program, 'by time'))
  if (fate === 'stopped') time.after(atMs, () => void stopAndStart(stage, program, stop))
  const soon = (doing: () => void): void => void time.after(chance.ms(0, 90_000), doing)
  if (chance.is(0.2)) soon(() => program.freeze(chance.ms(100, 90_000)))
  if (chance.is(0.2)) soon(() => program.shiftWallClock(chance.pick([-3.6e6, 3.6e6])))
}

function kill(stage: Stage, program: Program, how: string): void {
  const { run, plot, shelf } = stage
  const { chance, time } = run
  if (program.isOver() || stage.isCalm) return
  program.kill(how)
  stage.working = 0
  const copy = chance.is(plot.restored) ? shelf.anyCopy() : null
  time.after(chance.ms(100, 60_000), () => {
    if (copy !== null) {
      run.fault('disk', 'an older copy of the cursors is restored')
      shelf.restore(copy)
    }
    goOn(stage)
    live(stage)
  })
}

/** The books go back to where the cursors are. */
function goOn({ shelf, watchings }: Stage): void {
  for (const { name, book } of watchings) {
    const mark = shelf.mark(name)
    if (mark === undefined) book.begins()
    else book.goesOnFrom(mark)
  }
}

async function stopAndStart(stage: Stage, program: Program, stop: () => Promise<void>): Promise<void> {
  const { run, shelf } = stage
  const { chance, time } = run
  if (program.isOver() || stage.isCalm) return
  run.fault('app', 'stops')
  await stop()
  program.end()
  const next = (): void => {
    // Going on before the last callback is done may repeat its delivery.
    if (stage.working > 0) return void time.after(1_000, next)
    if (shelf.failureRate > 0) goOn(stage)
    for (const { name, book } of stage.watchings) if (shelf.mark(name) === undefined) book.begins()
    live(stage)
  }
  time.after(chance.ms(500, 60_000), next)
}

function watchAll(stage: Stage, program: Program, client: ClientCore, store: CursorStore): readonly Watch[] {
  const { run, mutation, plot, world, watchings, balance } = stage
  const { chance, time } = run
  // Hundreds of rewards take their time.
  const slowness = chance.pick([0, 0, 50, plot.backlog > 20 ? 200 : 2_000])
  const onError = (error: unknown): void => {
    if (isNodeError(error)) run.note('app', `${error.code} ${JSON.stringify(error.facts)}`)
    else run.violate('I4', `a watcher reports ${String(error)}`)
  }
  const work = (): Promise<void> | undefined => {
    if (slowness === 0) return undefined
    return new Promise((done) => {
      stage.working++
      const end = (): void => {
        stage.working--
        done()
      }
      time.after(chance.ms(0, slowness), () => program.deliver(end))
    })
  }
  const listener =
    (tell: (reward: Reward) => void) =>
    async (reward: Reward): Promise<void> => {
      await work()
      if (!stage.isCalm && chance.is(plot.throws)) throw new Error('a listener throws')
      ;(mutation.delivery?.(tell, program) ?? tell)(reward)
      if (!stage.isCalm && chance.is(plot.killedWhenTold))
        time.after(chance.ms(0, 40), () => kill(stage, program, 'when told'))
    }
  const common = { client, pollIntervalMs: plot.pollIntervalMs, blockTimeMs: 15_000, onError }
  return [
    ...watchings.map(({ name, watch, address, from, book }) =>
      watch({
        ...{ ...common, address, from },
        cursor: { store, name },
        onReward: listener(book.rewarded),
        onReverted: listener(book.reverted),
      }),
    ),
    watchBalance({
      ...common,
      address: miner.address,
      cursor: { store, name: 'balance' },
      onChange: (told) => balance.changed(told, world.forks()),
    }),
  ]
}

async function end({ run, life }: Stage): Promise<void> {
  if (life === null || life.program.isOver()) return
  let isStopped = false
  void life.stop().then(() => {
    isStopped = true
  })
  await run.time.run({
    untilMs: run.time.now() + STOPS_WITHIN_MS,
    isDone: () => isStopped,
    maxEvents: MAX_EVENTS,
  })
  if (!isStopped) run.violate('I4', 'it does not stop')
}

import { isNodeError, type NodeError } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import {
  watchBalance,
  watchHeight,
  watchMissedReferrals,
  watchReferralRewards,
  watchRewards,
} from '../real.ts'
import type { Run } from '../run/run.ts'
import { friend, miner, poorAgent } from '../world/accounts.ts'
import { type BalanceBook, createBalanceBook } from './balance-book.ts'
import type { BookedLine } from './booked-lines.ts'
import { judgeDamage, playFaults, type Rest } from './faults-and-rest.ts'
import { createLives, type Given, type KeptBook, type Started } from './lives.ts'
import { createMissedBook, type MissedBook } from './missed-book.ts'
import { createToldBook } from './told-book.ts'
import { drawWatchPlot, type WatchPlot } from './watch-plot.ts'
import { createWatchedWorld, type WatchedWorld } from './watched-world.ts'

/** A watch of rewards, and the book of what it told. */
type Watching = KeptBook & {
  readonly watch: typeof watchRewards
  readonly address: typeof miner.address
  readonly from: number | 'now'
}

/** A run of the scenario. */
type Stage = {
  readonly run: Run
  readonly plot: WatchPlot
  readonly world: WatchedWorld
  readonly watchings: readonly Watching[]
  readonly balance: BalanceBook
  readonly missed: MissedBook
  readonly reported: NodeError[]
}

/**
 * A program watches what accounts earn, through an address behind which nodes of one chain are some macroblocks apart,
 * start, stand still and follow forks, while it is killed, frozen, and started again from older copies of its cursors.
 * At the end every reward was told once, and what a fork took was taken back.
 */
export async function rewards(run: Run, mutation: Mutation): Promise<void> {
  const stage = await createStage(run)
  const { plot, world, watchings, balance, missed, reported } = stage
  const { chain } = world
  const lives = createLives({
    ...{ run, mutation, plot, world, books: watchings },
    start: (given) => watchAll(stage, mutation, given),
  })
  // After a hundred macroblocks at once the older ones are passed over.
  const isMissedJudged = plot.isMissedWatched && plot.behindAtFirst === 0
  const lackedMissed = (): readonly string[] => (isMissedJudged ? missed.lacking(chain) : [])
  const rest: Rest = {
    late: (untilMs) =>
      watchings.flatMap(({ name, book }) => book.missing(chain, untilMs).map((what) => `${name}: ${what}`)),
    isComplete: () =>
      balance.isComplete(chain) &&
      watchings.every(({ book }) => book.isComplete(chain)) &&
      lackedMissed().length === 0,
    judge: () => {
      for (const { book } of watchings) book.judge(chain)
      balance.judge(chain)
      const lacking = lackedMissed()
      if (lacking.length > 0)
        run.violate('I5', `missed referrals: lost: ${lacking.length}, first ${lacking[0]}`)
    },
  }
  await playFaults({ run, plot, world, lives }, rest)
  await judgeDamage({ run, plot, world, lives }, { books: watchings, reported })
  if (lives.shelf.everything().includes(miner.canary)) run.violate('I3', 'the key is in a cursor')
}

async function createStage(run: Run): Promise<Stage> {
  const plot = drawWatchPlot(run)
  run.note('plot', JSON.stringify(plot))
  const balance = createBalanceBook(run, { isMixed: plot.routing === 'random' })
  const missed = createMissedBook(run)
  const world = await createWatchedWorld(run, plot, {
    onClosed: (block) => {
      balance.closed(block)
      missed.closed(block)
    },
    inspect: ({ method, path, query = '' }) => {
      if (method === 'POST') run.violate('I1', `a watcher posts to ${path}`)
      if (query.includes(miner.canary)) run.violate('I3', 'the key is in a request')
    },
  })
  const watching = (
    name: string,
    given: Pick<Watching, 'watch' | 'address' | 'from'>,
    isOfType: (line: BookedLine) => boolean,
  ): Watching => {
    const isMeant = (line: BookedLine): boolean => line.address === given.address && isOfType(line)
    const { lines, chain, balancer } = world
    const { shownHeight } = balancer
    const book = createToldBook({
      ...{ run, name, lines, chain, shownHeight, isMeant },
      isFromNow: given.from === 'now',
    })
    return { ...given, name, book, isOf: (cursor) => cursor === name }
  }
  const isReferral = ({ recordType }: BookedLine): boolean => recordType === 'iref'
  const watchings = [
    watching('all', { watch: watchRewards, address: miner.address, from: -1 }, () => true),
    watching('new', { watch: watchRewards, address: miner.address, from: 'now' }, () => true),
    watching('referrals', { watch: watchReferralRewards, address: friend.address, from: -1 }, isReferral),
  ].filter(({ name }) => plot.watches.some((one) => one === name))
  return { run, plot, world, watchings, balance, missed, reported: [] }
}

function watchAll(stage: Stage, mutation: Mutation, { program, client, store, listener }: Given): Started {
  const { run, plot, world, watchings, balance, missed } = stage
  const onError = (error: unknown): void => {
    if (isNodeError(error)) {
      run.note('app', `${error.code} ${JSON.stringify(error.facts)}`)
      stage.reported.push(error)
    } else run.violate('I4', `a watcher reports ${String(error)}`)
  }
  const common = { client, pollIntervalMs: plot.pollIntervalMs, blockTimeMs: 15_000, onError }
  missed.begins()
  program.onKill(missed.begins)
  const watches = [
    ...watchings.map(({ name, watch, address, from, book }) =>
      (mutation.watch?.(watch) ?? watch)({
        ...{ ...common, address, from },
        cursor: { store, name },
        onReward: listener(book.rewarded, 'rewarded'),
        onReverted: listener(book.reverted, 'reverted'),
      }),
    ),
    watchBalance({
      ...common,
      address: miner.address,
      cursor: { store, name: 'balance' },
      onChange: (told) => balance.changed(told, world.forks()),
    }),
    ...(plot.isMissedWatched
      ? [
          watchHeight({ ...common, onChange: ({ height }) => missed.sees(height) }),
          watchMissedReferrals({
            ...common,
            address: poorAgent.address,
            onMissed: (told) => missed.missed(told, world.forks()),
          }),
        ]
      : []),
  ]
  return {
    stop: async () => {
      missed.begins()
      await Promise.all(watches.map((one) => one.stop()))
    },
  }
}

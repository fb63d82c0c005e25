import type { Run } from '../run/run.ts'
import type { Routing } from '../world/balancer.ts'

/** What is special about a run that watches. */
export type WatchPlot = {
  readonly nodes: number
  readonly routing: Routing
  /** Macroblocks that a node may be behind. */
  readonly deepestLag: number
  /** True if nodes stay as far apart as they were when faults end. */
  readonly staysMixed: boolean
  /** Probability of a fork after a macroblock, and its greatest depth. */
  readonly forks: number
  readonly deepestFork: number
  /** Rewards of the account before the program begins, about. */
  readonly backlog: number
  /** Probability that each of those who mine does so in a macroblock. */
  readonly busy: number
  /** Probability that the account receives a transfer in a macroblock. */
  readonly transfers: number
  /** Macroblocks that the API lacks at the beginning. */
  readonly behindAtFirst: number
  /** True if the API stands still for minutes. */
  readonly standsStill: boolean
  /** Probability that a listener throws. */
  readonly throws: number
  /** Probability that the program is killed soon after it was told something. */
  readonly killedWhenTold: number
  /** Probability that a cursor is not written. */
  readonly failingStore: number
  /** Probability that a start goes on from an older copy of the cursors. */
  readonly restored: number
  readonly endsWith: 'nothing' | 'half a cursor'
  /** Which rewards are watched: that takes the longest. */
  readonly watches: readonly ('all' | 'new' | 'referrals')[]
  readonly isMissedWatched: boolean
  /** Undefined leaves the times of polls to the chain. */
  readonly pollIntervalMs: number | undefined
}

export function drawWatchPlot({ chance }: Run): WatchPlot {
  return {
    nodes: chance.pick([1, 2, 2, 3]),
    routing: chance.pick(['random', 'random', 'by path', 'in turns of time']),
    deepestLag: chance.pick([1, 2, 5]),
    staysMixed: chance.is(0.3),
    forks: chance.pick([0, 0, 0.1, 0.3]),
    deepestFork: chance.pick([1, 2, 5]),
    backlog: chance.pick([0, 0, 0, 20, 20, 60, 60, 300]),
    busy: chance.pick([0.1, 0.3, 0.6]),
    transfers: chance.pick([0, 0.3, 0.8]),
    behindAtFirst: chance.is(0.08) ? chance.pick([50, 50, 120, 300, 700]) : 0,
    standsStill: chance.is(0.3),
    throws: chance.pick([0, 0, 0.2]),
    killedWhenTold: chance.pick([0, 0, 0.02, 0.1]),
    failingStore: chance.pick([0, 0, 0, 0.1]),
    restored: chance.pick([0, 0, 0.5]),
    endsWith: chance.pick(['nothing', 'half a cursor']),
    watches: chance.pick<WatchPlot['watches']>([
      ...([['all'], ['new'], ['referrals'], ['all', 'new'], ['new', 'referrals']] as const),
    ]),
    isMissedWatched: chance.is(0.3),
    pollIntervalMs: chance.pick([undefined, 2_000]),
  }
}

import type { Hash } from '@hailstone/protocol'
import type { MiningNode, Reward } from '../real.ts'
import type { Run } from '../run/run.ts'
import type { SimulatedChain } from '../world/simulated-chain.ts'
import { onceOfEachKind } from './once-of-each-kind.ts'
import type { WatchedWorld } from './watched-world.ts'

/** Numbers of a program's metrics by name and labels. */
export type Figures = readonly {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly {
    readonly labels?: Readonly<Record<string, string>> | undefined
    readonly value: number | bigint
  }[]
}[]

/** Three block times and a minute. */
const READY_MS = 105_000
/** Longest time between two polls, after which a program knows. */
const POLLED_MS = 35_000

/** How long an API has shown nothing new while its chain goes on. */
export function createStandstill(run: Run, { chain, balancer }: WatchedWorld) {
  let shown = balancer.shownHeight()
  let sinceMs = run.time.now()
  return {
    /**
     * True if nobody may call that ready. Called every few seconds.
     *
     * @param begunAtMs beginning of the life that is judged: what was before, it cannot have seen
     */
    isTooLong: (begunAtMs = 0): boolean => {
      const height = balancer.shownHeight()
      if (height !== shown) {
        shown = height
        sinceMs = run.time.now()
      }
      const lastMs = Math.max(sinceMs, begunAtMs)
      return chain.height > shown && run.time.now() - lastMs > READY_MS + POLLED_MS
    },
  }
}

/** Compares the figures of one life of a program with those before. */
export function createFigures(run: Run) {
  const last = new Map<string, number | bigint>()
  const violate = onceOfEachKind(run, 'metrics: a counter falls: ')
  return {
    look: (figures: Figures): void => {
      for (const { name, type, samples } of figures) {
        if (type !== 'counter') continue
        for (const { labels, value } of samples) {
          const key = `${name} ${JSON.stringify(labels ?? {})}`
          const before = last.get(key)
          last.set(key, value)
          if (before !== undefined && value < before) violate(name, `from ${before} to ${value}`)
        }
      }
    },
  }
}

/** Compares what a node sums up in one life with the rewards that it told, less those that it took back. */
export function createEarned(run: Run, node: MiningNode) {
  const told = new Map<string, bigint>()
  const nameOf = ({ recordHash, recordType, role }: Reward): string => `${recordHash} ${recordType} ${role}`
  const add = (reward: Reward): void => void told.set(nameOf(reward), reward.amount)
  const violate = onceOfEachKind(run, 'snapshot: ')
  node.on('rewarded', add)
  node.on('referralRewarded', add)
  node.on('reverted', (reward) => void told.delete(nameOf(reward)))
  return {
    look: (): void => {
      const { rewards } = node.snapshot()
      const shown = rewards.reduce((sum, { own, referral }) => sum + own + referral, 0n)
      const sum = [...told.values()].reduce((all, amount) => all + amount, 0n)
      if (shown !== sum) violate('earned', `${shown} units are shown, and ${sum} were told`)
    },
  }
}

/** What a node published in one life, and of which of it was told that it stands in the chain. */
export function createInclusions(node: MiningNode) {
  const published = new Set<Hash>()
  const included = new Map<Hash, number>()
  /** What the API had not shown as open before is not looked through. */
  let from = Number.POSITIVE_INFINITY
  node.once('heightChanged', ({ height }) => {
    from = height
  })
  node.on('published', ({ microblockHash }) => void published.add(microblockHash))
  node.on('included', ({ microblockHash, height }) => void included.set(microblockHash, height))
  return {
    /** Publications that stand in the chain, and of which that was not told, or another height. */
    lacking: ({ blocks }: Pick<SimulatedChain, 'blocks'>): readonly string[] =>
      blocks.flatMap(({ microblocks, keyBlock: { height } }) =>
        microblocks
          .filter(({ hash }) => height >= from && published.has(hash) && included.get(hash) !== height)
          .map(({ hash }) => `${hash.slice(0, 8)} of ${height}, told of ${included.get(hash)}`),
      ),
  }
}

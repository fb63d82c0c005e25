import type { Run } from '../run/run.ts'
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
  const { time } = run
  let shown = balancer.shownHeight()
  let sinceMs = time.now()
  let seen: { readonly life: unknown; readonly height: number; readonly grownAtMs: number } = {
    life: null,
    height: -1,
    grownAtMs: Number.NEGATIVE_INFINITY,
  }
  return {
    /**
     * True if nobody may call that ready. Called every few seconds, with what a program knows. To one that was shown less by a
     * node that is behind, the API goes on until it has been shown all.
     */
    isTooLong: (life: unknown, known: number | undefined): boolean => {
      const now = time.now()
      const height = balancer.shownHeight()
      if (height !== shown) {
        shown = height
        sinceMs = now
      }
      if (known !== undefined && known !== seen.height) {
        const hasGrown = seen.life === life && known > seen.height
        seen = { life, height: known, grownAtMs: hasGrown ? now : Number.NEGATIVE_INFINITY }
      }
      const lastMs = Math.max(sinceMs, seen.life === life ? seen.grownAtMs : sinceMs)
      return chain.height > shown && now - lastMs > READY_MS + POLLED_MS
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

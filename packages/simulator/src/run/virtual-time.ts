/** Virtual time: when nothing else can run, it jumps to the next timer. */
export type VirtualTime = {
  /** Milliseconds since the start. */
  readonly now: () => number
  /** Calls back once; returns a function that cancels. Timers due at the same time keep their order. */
  readonly after: (delayMs: number, callback: () => void) => () => void
  /** Advances until a condition holds, or until a given time. */
  readonly run: (parameters: {
    readonly untilMs: number
    readonly isDone: () => boolean
    /** Limit of events; more mean that a program does not come to rest. */
    readonly maxEvents: number
  }) => Promise<'done' | 'late' | 'endless'>
  readonly events: () => number
  /**
   * True for programs that divide their work over turns of the event loop: all of it is done before time goes on, as
   * many turns as it takes. @default false: one turn
   */
  waitsForTurns: boolean
}

type Entry = { readonly atMs: number; readonly order: number; callback: (() => void) | null }

/** Waits one turn of the event loop, in which all pending promises settle. */
const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Limit of turns: a program that always wants one more is left to the limit of events. */
const MAX_TURNS = 200

/** Waits until nobody wants another turn. */
async function restAll(): Promise<void> {
  await rest()
  for (let turn = 0; turn < MAX_TURNS && process.getActiveResourcesInfo().includes('Immediate'); turn++)
    await rest()
}

export function createVirtualTime(): VirtualTime {
  const heap = createHeap()
  let nowMs = 0
  let order = 0
  let events = 0

  async function run(parameters: Parameters<VirtualTime['run']>[0]): ReturnType<VirtualTime['run']> {
    const { untilMs, isDone, maxEvents } = parameters
    const last = events + maxEvents
    const settle = time.waitsForTurns ? restAll : rest
    await settle()
    while (!isDone()) {
      const entry = heap.first()
      if (entry === undefined || entry.atMs > untilMs) {
        nowMs = Math.max(nowMs, untilMs)
        return 'late'
      }
      heap.shift()
      if (entry.callback === null) continue
      if (++events > last) return 'endless'
      nowMs = Math.max(nowMs, entry.atMs)
      entry.callback()
      await settle()
    }
    return 'done'
  }

  const time: VirtualTime = {
    waitsForTurns: false,
    now: () => nowMs,
    events: () => events,
    run,
    after: (delayMs, callback) => {
      const entry: Entry = { atMs: nowMs + Math.max(0, delayMs), order: order++, callback }
      heap.push(entry)
      return () => {
        entry.callback = null
      }
    },
  }
  return time
}

type Heap = {
  readonly push: (entry: Entry) => void
  readonly first: () => Entry | undefined
  readonly shift: () => void
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)

/** A binary heap by time, then by order of insertion. */
function createHeap(): Heap {
  const entries: Entry[] = []

  function rise(entry: Entry, from: number): void {
    let at = from
    for (let above = entries[(at - 1) >> 1]; at > 0 && above !== undefined; above = entries[(at - 1) >> 1]) {
      if (!isBefore(entry, above)) break
      entries[at] = above
      at = (at - 1) >> 1
    }
    entries[at] = entry
  }

  function sink(entry: Entry): void {
    let at = 0
    for (;;) {
      const [left, right] = [entries[2 * at + 1], entries[2 * at + 2]]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const below = isRight ? right : left
      if (below === undefined || !isBefore(below, entry)) break
      entries[at] = below
      at = 2 * at + (isRight ? 2 : 1)
    }
    entries[at] = entry
  }

  return {
    push: (entry) => rise(entry, entries.length),
    first: () => entries[0],
    shift: () => {
      const last = entries.pop()
      if (last !== undefined && entries.length > 0) sink(last)
    },
  }
}

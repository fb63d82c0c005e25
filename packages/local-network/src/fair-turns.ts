/** One piece of work of somebody. It calls each function once. */
type Work = (done: {
  /** Called when the work needs no more of the processor. */
  readonly freeSlot: () => void
  /** Called when the next work of the same member may begin. */
  readonly freeMember: () => void
}) => void

export type FairTurns<Member> = {
  readonly enter: (member: Member, work: Work) => void
  /** Drops what a member has waiting. */
  readonly leave: (member: Member) => void
  readonly waiting: () => number
  readonly running: () => number
}

type Line = { readonly works: Work[]; isBusy: boolean }

/** Of this many begun works one is of those that are not urgent, while there are any. */
const ORDINARY_EVERY = 4

/**
 * Runs the work of many members: one work of each member at a time, so many at once in all, members in turns. After
 * `sliceMs` it lets the event loop do everything else before it goes on.
 */
export function createFairTurns<Member>(parameters: {
  readonly mostRunning: number
  readonly sliceMs: number
  /** True if the member has its turn before the others. */
  readonly isUrgent: (member: Member) => boolean
  /** @default performance.now */
  readonly now?: (() => number) | undefined
  /** @default setImmediate */
  readonly later?: ((run: () => void) => void) | undefined
}): FairTurns<Member> {
  const { mostRunning, sliceMs, isUrgent, now = () => performance.now(), later = setImmediate } = parameters
  const lines = new Map<Member, Line>()
  const urgent = new Set<Member>()
  const ordinary = new Set<Member>()
  let waiting = 0
  let running = 0
  let begun = 0
  /** End of the present slice; null before the first work of a turn of the event loop. */
  let sliceEndsAt: number | null = null
  let isRunning = false

  const queue = (member: Member): void => void (isUrgent(member) ? urgent : ordinary).add(member)

  const forget = (member: Member): void => {
    urgent.delete(member)
    ordinary.delete(member)
  }

  function next(): Member | undefined {
    const isOrdinaryTurn = begun % ORDINARY_EVERY === ORDINARY_EVERY - 1
    const [first, second] = isOrdinaryTurn ? [ordinary, urgent] : [urgent, ordinary]
    for (const members of [first, second]) for (const member of members) return member
    return undefined
  }

  function begin(member: Member): void {
    const line = lines.get(member)
    forget(member)
    const work = line?.works.shift()
    if (line === undefined || work === undefined) return
    waiting--
    running++
    begun++
    line.isBusy = true
    let hasSlot = true
    const freeSlot = (): void => {
      if (!hasSlot) return
      hasSlot = false
      running--
      run()
    }
    const freeMember = (): void => {
      if (!line.isBusy) return
      line.isBusy = false
      if (line.works.length > 0) queue(member)
      else if (lines.get(member) === line) lines.delete(member)
      freeSlot()
      run()
    }
    work({ freeSlot, freeMember })
  }

  /** True if there is time left for work in this turn of the event loop. */
  function hasTime(): boolean {
    if (sliceEndsAt !== null) return now() < sliceEndsAt
    sliceEndsAt = now() + sliceMs
    later(() => {
      sliceEndsAt = null
      run()
    })
    return true
  }

  function run(): void {
    if (isRunning) return
    isRunning = true
    while (running < mostRunning) {
      const member = next()
      if (member === undefined || !hasTime()) break
      begin(member)
    }
    isRunning = false
  }

  return {
    enter(member, work) {
      const line = lines.get(member) ?? { works: [], isBusy: false }
      lines.set(member, line)
      line.works.push(work)
      waiting++
      if (!line.isBusy) queue(member)
      run()
    },
    leave(member) {
      const line = lines.get(member)
      if (line === undefined) return
      waiting -= line.works.length
      line.works.length = 0
      forget(member)
      if (!line.isBusy) lines.delete(member)
    },
    waiting: () => waiting,
    running: () => running,
  }
}

/** One piece of work of somebody. It calls each function once, or throws, which does the same. */
type Work = (done: {
  /** Called when the work needs no more of the processor. */
  readonly freeSlot: () => void
  /** Called when the next work of the same member may begin. */
  readonly freeMember: () => void
}) => void

export type FairTurns<Member> = {
  /**
   * Costly work waits for cheap work, and little of it runs at once.
   *
   * @param cost room that it takes among the costly work that runs at once. @default 0, cheap
   */
  readonly enter: (member: Member, work: Work, cost?: number) => void
  /** Drops what a member has waiting. */
  readonly leave: (member: Member) => void
  readonly waiting: () => number
  readonly running: () => number
}

type Entry = { readonly work: Work; readonly cost: number }
type Kind = 'cheap' | 'costly'

const kindOf = (cost: number): Kind => (cost > 0 ? 'costly' : 'cheap')

/** The first member of two queues. */
function firstOf<Member>(...queues: readonly Set<Member>[]): Member | undefined {
  for (const members of queues) for (const member of members) return member
  return undefined
}

type Backlog = { readonly entries: Entry[]; isBusy: boolean }

/** Of this many begun works one is of those that are not urgent, while there are any. */
const ORDINARY_EVERY = 4
/** Of this many begun works one is costly, while there are any. */
const COSTLY_EVERY = 5
/**
 * Node accepts one connection in each turn of the event loop. While they come, work rests for so many turns after each
 * slice; otherwise a connection would wait as long as everything takes that is begun for those before it.
 */
const RESTING_TURNS = 32
/** Works that run at once while connections come. */
const MAX_WHILE_ACCEPTING = 2
/** With so many members waiting for cheap work no turn is left out: those who came first would be given up. */
const MAX_KEPT_WAITING = 24

/**
 * For rows, see `createRequestTurns`. Runs the work of many members: one work of each member at a time, so many at once in all, members in turns. After
 * `sliceMs` it lets the event loop do everything else before it goes on.
 */
export function createFairTurns<Member>(parameters: {
  readonly maxRunning: number
  /** Largest sum of the costs of those that run at once. @default no limit */
  readonly maxCost?: number | undefined
  readonly sliceMs: number
  /** True if the member has its turn before the others. */
  readonly isUrgent: (member: Member) => boolean
  /** Called with what the work of a member has thrown. */
  readonly onFailure: (member: Member, error: unknown) => void
  /** @default performance.now */
  readonly now?: (() => number) | undefined
  /** Returns how many connections were accepted so far. @default none */
  readonly accepted?: (() => number) | undefined
  /** Runs a function in the next turn of the event loop. @default setImmediate */
  readonly later?: ((run: () => void) => void) | undefined
}): FairTurns<Member> {
  const {
    maxRunning,
    maxCost = Number.POSITIVE_INFINITY,
    sliceMs,
    isUrgent,
    onFailure,
    now = () => performance.now(),
    accepted = () => 0,
    later = setImmediate,
  } = parameters
  const backlogs = new Map<Member, Backlog>()
  /** Members with work queued, in the order of their turns. */
  const queues: Readonly<Record<Kind, { readonly urgent: Set<Member>; readonly ordinary: Set<Member> }>> = {
    cheap: { urgent: new Set(), ordinary: new Set() },
    costly: { urgent: new Set(), ordinary: new Set() },
  }
  let waiting = 0
  let running = 0
  let runningCost = 0
  let begun = 0
  /** End of the present slice; null before the first work of a turn of the event loop. */
  let sliceEndsAt: number | null = null
  let isRunning = false
  let isAccepting = false

  function queue(member: Member, { entries: [first] }: Backlog): void {
    if (first === undefined) return
    const { urgent, ordinary } = queues[kindOf(first.cost)]
    const members = isUrgent(member) ? urgent : ordinary
    members.add(member)
  }

  function forget(member: Member): void {
    for (const { urgent, ordinary } of Object.values(queues)) {
      urgent.delete(member)
      ordinary.delete(member)
    }
  }

  /** True if the next work of a member fits beside what runs; what is larger than all the room runs alone. */
  function hasRoom(member: Member): boolean {
    const cost = backlogs.get(member)?.entries[0]?.cost ?? 0
    return cost === 0 || runningCost === 0 || runningCost + cost <= maxCost
  }

  function next(): Member | undefined {
    const isCostlyTurn = begun % COSTLY_EVERY === COSTLY_EVERY - 1
    const isOrdinaryTurn = begun % ORDINARY_EVERY === ORDINARY_EVERY - 1
    for (const kind of isCostlyTurn ? (['costly', 'cheap'] as const) : (['cheap', 'costly'] as const)) {
      const { urgent, ordinary } = queues[kind]
      const member = isOrdinaryTurn ? firstOf(ordinary, urgent) : firstOf(urgent, ordinary)
      if (member !== undefined && hasRoom(member)) return member
    }
    return undefined
  }

  function begin(member: Member): void {
    const backlog = backlogs.get(member)
    forget(member)
    const entry = backlog?.entries.shift()
    if (backlog === undefined || entry === undefined) return
    const { cost } = entry
    waiting--
    running++
    runningCost += cost
    begun++
    backlog.isBusy = true
    let hasSlot = true
    const freeSlot = (): void => {
      if (!hasSlot) return
      hasSlot = false
      running--
      runningCost -= cost
      run()
    }
    const freeMember = (): void => {
      if (!backlog.isBusy) return
      backlog.isBusy = false
      if (backlog.entries.length > 0) queue(member, backlog)
      else if (backlogs.get(member) === backlog) backlogs.delete(member)
      freeSlot()
      run()
    }
    try {
      entry.work({ freeSlot, freeMember })
    } catch (error) {
      freeMember()
      // Whoever called the turns is somebody else as a rule, and has no part in it.
      onFailure(member, error)
    }
  }

  /** True if there is time left for work in this turn of the event loop. */
  function hasTime(): boolean {
    if (sliceEndsAt !== null) return now() < sliceEndsAt
    sliceEndsAt = now() + sliceMs
    rest(accepted(), RESTING_TURNS)
    return true
  }

  /** Waits for the next turn of the event loop, and for further ones while connections are accepted. */
  function rest(acceptedBefore: number, turnsLeft: number): void {
    later(() => {
      const count = accepted()
      const { urgent, ordinary } = queues.cheap
      isAccepting = count > acceptedBefore && urgent.size + ordinary.size < MAX_KEPT_WAITING
      if (isAccepting && turnsLeft > 0) {
        rest(count, turnsLeft - 1)
        return
      }
      sliceEndsAt = null
      run()
    })
  }

  function run(): void {
    if (isRunning) return
    isRunning = true
    while (running < (isAccepting ? Math.min(MAX_WHILE_ACCEPTING, maxRunning) : maxRunning)) {
      const member = next()
      if (member === undefined || !hasTime()) break
      begin(member)
    }
    isRunning = false
  }

  return {
    enter(member, work, cost = 0) {
      const backlog = backlogs.get(member) ?? { entries: [], isBusy: false }
      backlogs.set(member, backlog)
      backlog.entries.push({ work, cost })
      waiting++
      if (!backlog.isBusy && backlog.entries.length === 1) queue(member, backlog)
      run()
    },
    leave(member) {
      const backlog = backlogs.get(member)
      if (backlog === undefined) return
      waiting -= backlog.entries.length
      backlog.entries.length = 0
      forget(member)
      if (!backlog.isBusy) backlogs.delete(member)
    },
    waiting: () => waiting,
    running: () => running,
  }
}

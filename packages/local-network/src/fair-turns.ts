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
type Backlog = { readonly entries: Entry[]; isBusy: boolean }
type Kind = 'cheap' | 'costly'

const kindOf = (cost: number): Kind => (cost > 0 ? 'costly' : 'cheap')

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

/** The first member of two queues. */
function firstOf<Member>(...queues: readonly Set<Member>[]): Member | undefined {
  for (const members of queues) for (const member of members) return member
  return undefined
}

/** Members with work queued, in the order of their turns. */
function createQueues<Member>(isUrgent: (member: Member) => boolean) {
  const queues: Readonly<Record<Kind, { readonly urgent: Set<Member>; readonly ordinary: Set<Member> }>> = {
    cheap: { urgent: new Set(), ordinary: new Set() },
    costly: { urgent: new Set(), ordinary: new Set() },
  }
  return {
    add: (member: Member, { cost }: Entry): unknown =>
      queues[kindOf(cost)][isUrgent(member) ? 'urgent' : 'ordinary'].add(member),
    forget(member: Member): void {
      for (const { urgent, ordinary } of Object.values(queues)) {
        urgent.delete(member)
        ordinary.delete(member)
      }
    },
    /** Members that wait for cheap work. */
    cheapCount: (): number => queues.cheap.urgent.size + queues.cheap.ordinary.size,
    /** Returns whose turn it is after so many begun works, of the members for whom there is room. */
    next(begun: number, hasRoom: (member: Member) => boolean): Member | undefined {
      const isCostlyTurn = begun % COSTLY_EVERY === COSTLY_EVERY - 1
      const isOrdinaryTurn = begun % ORDINARY_EVERY === ORDINARY_EVERY - 1
      for (const kind of isCostlyTurn ? (['costly', 'cheap'] as const) : (['cheap', 'costly'] as const)) {
        const { urgent, ordinary } = queues[kind]
        const member = isOrdinaryTurn ? firstOf(ordinary, urgent) : firstOf(urgent, ordinary)
        if (member !== undefined && hasRoom(member)) return member
      }
      return undefined
    },
  }
}

type SliceParameters = {
  readonly sliceMs: number
  /** @default performance.now */
  readonly now?: (() => number) | undefined
  /** Returns how many connections were accepted so far. @default none */
  readonly accepted?: (() => number) | undefined
  /** Runs a function in the next turn of the event loop. @default setImmediate */
  readonly later?: ((run: () => void) => void) | undefined
}

/**
 * Parts of the turns of the event loop in which there is time for work.
 *
 * @param parameters.mayRest false while so much waits that no turn is left out
 * @param parameters.onNext called when the next one begins
 */
function createSlices({
  sliceMs,
  now = () => performance.now(),
  accepted = () => 0,
  later = setImmediate,
  mayRest,
  onNext,
}: SliceParameters & { readonly mayRest: () => boolean; readonly onNext: () => void }) {
  /** End of the present slice; null before the first work of a turn of the event loop. */
  let endsAt: number | null = null
  let isAccepting = false
  /** Waits for the next turn of the event loop, and for further ones while connections are accepted. */
  function rest(acceptedBefore: number, turnsLeft: number): void {
    later(() => {
      const count = accepted()
      isAccepting = count > acceptedBefore && mayRest()
      if (isAccepting && turnsLeft > 0) {
        rest(count, turnsLeft - 1)
        return
      }
      endsAt = null
      onNext()
    })
  }
  return {
    isAccepting: (): boolean => isAccepting,
    /** True if there is time left for work in this turn of the event loop. */
    hasTime(): boolean {
      if (endsAt !== null) return now() < endsAt
      endsAt = now() + sliceMs
      rest(accepted(), RESTING_TURNS)
      return true
    },
  }
}

/**
 * For rows, see `createRequestTurns`. Runs the work of many members: one work of each member at a time, so many at once in all, members in turns. After
 * `sliceMs` it lets the event loop do everything else before it goes on.
 */
export function createFairTurns<Member>(
  parameters: SliceParameters & {
    readonly maxRunning: number
    /** Largest sum of the costs of those that run at once. @default no limit */
    readonly maxCost?: number | undefined
    /** True if the member has its turn before the others. */
    readonly isUrgent: (member: Member) => boolean
    /** Called with what the work of a member has thrown. */
    readonly onFailure: (member: Member, error: unknown) => void
  },
): FairTurns<Member> {
  const { maxRunning, maxCost = Number.POSITIVE_INFINITY, onFailure } = parameters
  const backlogs = new Map<Member, Backlog>()
  const queues = createQueues(parameters.isUrgent)
  const slices = createSlices({
    ...parameters,
    mayRest: () => queues.cheapCount() < MAX_KEPT_WAITING,
    onNext: run,
  })
  let waiting = 0
  let running = 0
  let runningCost = 0
  let begun = 0
  let isRunning = false

  /** True if the next work of a member fits beside what runs; what is larger than all the room runs alone. */
  function hasRoom(member: Member): boolean {
    const cost = backlogs.get(member)?.entries[0]?.cost ?? 0
    return cost === 0 || runningCost === 0 || runningCost + cost <= maxCost
  }

  function begin(member: Member): void {
    const backlog = backlogs.get(member)
    queues.forget(member)
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
      const [next] = backlog.entries
      if (next !== undefined) queues.add(member, next)
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

  function run(): void {
    if (isRunning) return
    isRunning = true
    while (running < (slices.isAccepting() ? Math.min(MAX_WHILE_ACCEPTING, maxRunning) : maxRunning)) {
      const member = queues.next(begun, hasRoom)
      if (member === undefined || !slices.hasTime()) break
      begin(member)
    }
    isRunning = false
  }

  return {
    enter(member, work, cost = 0) {
      const backlog = backlogs.get(member) ?? { entries: [], isBusy: false }
      const entry = { work, cost }
      backlogs.set(member, backlog)
      backlog.entries.push(entry)
      waiting++
      if (!backlog.isBusy && backlog.entries.length === 1) queues.add(member, entry)
      run()
    },
    leave(member) {
      const backlog = backlogs.get(member)
      if (backlog === undefined) return
      waiting -= backlog.entries.length
      backlog.entries.length = 0
      queues.forget(member)
      if (!backlog.isBusy) backlogs.delete(member)
    },
    waiting: () => waiting,
    running: () => running,
  }
}

import type { Transaction } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import type { PaymentSigner } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { payer as account } from '../world/accounts.ts'
import { manifoldTokens } from '../world/chain-origin.ts'
import { postedTransaction } from '../world/mempool.ts'
import type { SimulatedChain } from '../world/simulated-chain.ts'
import { SimulatedDisk } from '../world/simulated-disk.ts'
import { createWorld, type World } from './disagreeing-world.ts'
import { judgeSum } from './judge-sum.ts'
import { createOrderLog, executions, type OrderLog } from './order-log.ts'
import { createPayer, type Habits, JOURNAL, type Order, type Payer } from './payer.ts'
import { AGAIN, createPeople, failingStore } from './people.ts'
import { drawOrders, drawPlot, OWN, type Plot } from './plot.ts'

/** Time of the last fault, in ms. Strangers go on. */
const CALM_AT_MS = 240_000
/** Time at which everything must be settled, in ms. */
const END_MS = CALM_AT_MS + 1_800_000
/** Time after the last fault in which people find a payment that waits for them, in ms. */
const LOOKED_MS = 300_000
const MAX_EVENTS = 150_000
/** Time that a client may rely on what an address said about its chain, and a request may be under way, in ms. */
const NAMED_MS = 35_000

const { address, signTransaction } = account.wallet
/** The wallet without derived nonces. */
const plainSigner: PaymentSigner = { address, signTransaction }

/** A computer with a disk, on which a program pays. */
type Machine = { readonly name: string; readonly disk: SimulatedDisk; readonly payer: Payer }

/** A run of the scenario, and how far it is. */
type Stage = {
  readonly run: Run
  readonly mutation: Mutation
  readonly plot: Plot
  readonly orders: readonly Order[]
  readonly book: OrderLog
  readonly world: World
  readonly machines: Machine[]
  /** Memos of orders that some node refused without saying when they can be sent again. */
  readonly refusedForGood: Set<string>
  /** Copies of the journal, each made when a payment was signed; for one that is used twice also when one was final. */
  readonly oldCopies: { readonly memo: string; readonly copy: Uint8Array | null }[]
  isCalm: boolean
  /** True as long as the program is set up for the other chain. */
  isRehearsal: boolean
  /** False when another journal has, or had, payments of the account. */
  isWhole: boolean
  /** True when an old copy of the journal is used after everything was told, and nobody has looked at the history. */
  isOver: boolean
  /** What an old copy of the journal is asked for: first for orders of its own, then for all. */
  copyIsFor: 'nothing' | 'its own' | 'all'
  /** True if what an old copy does not have is accepted for orders of its own. */
  isCopyAccepted: boolean
  signer: PaymentSigner
  /** True if somebody has looked at the history, for what the journal does not have. */
  isLookedAt: boolean
  /** Number of changes that are still to come. */
  planned: number
}

/**
 * Payments in a world that does not agree with itself: nodes of one chain with tips and pools of their own behind one
 * address, pools that restart and refuse, an address that leads to another chain, strangers who post again what was
 * executed, journals that are copied, restored and lost, and people who ask twice. At the end each order was paid once
 * on its chain, or reported as not paid.
 */
export async function disagreement(run: Run, mutation: Mutation): Promise<void> {
  const { time } = run
  const stage = createStage(run, mutation)
  const { plot, book, world, machines, orders } = stage
  const people = createPeopleOf(stage)
  const first = addMachine(stage, people, 'payer', null)
  playJournal(stage, people)
  calmDown(stage)
  world.producer.onChange(() => book.look(world.chain))

  first.start()
  const isDone = (): boolean => stage.planned === 0 && machines.every(({ payer }) => payer.isDone())
  const end = await time.run({ untilMs: END_MS, isDone, maxEvents: MAX_EVENTS })
  if (end === 'endless') run.violate('I4', 'it does not come to rest')
  const open = machines.flatMap(({ payer }) => payer.open())
  if (end === 'late') run.violate('I4', `not settled half an hour after the last fault: ${open.join(', ')}`)
  const paid = executions(world.chain)
  const isReplaced = ({ memo }: Order): boolean => !book.cameToNothing(memo) || paid.has(`${memo}${AGAIN}`)
  // Everything is told by now, and all that was refused has been replaced.
  if (plot.journal === 'old copy at last' && end === 'done' && orders.every(isReplaced)) {
    // Without derived nonces nothing but a node that is not behind can tell an old copy what was paid.
    if (plot.hasPlainSigner)
      await time.run({ untilMs: CALM_AT_MS, isDone: () => stage.isCalm, maxEvents: MAX_EVENTS })
    useOldCopy(stage)
  }
  if (plot.journal === 'old copy twice' && end === 'done' && orders.every(isReplaced))
    await useOldCopyTwice(stage)
  // What is refused for good stays out.
  await time.run({ untilMs: time.now() + 300_000, isDone: () => false, maxEvents: MAX_EVENTS })
  world.stop()
  book.judge()
  for (const one of [world.chain, world.other]) book.look(one)
  if (machines.some(({ disk }) => disk.everything().includes(account.canary)))
    run.violate('I3', 'the key is on the disk')
}

const chainOf = ({ isRehearsal, world }: Stage): SimulatedChain => (isRehearsal ? world.other : world.chain)

const isTogether = ({ machines, isWhole }: Stage): boolean => machines.length === 1 && isWhole

function createStage(run: Run, mutation: Mutation): Stage {
  const plot = drawPlot(run)
  run.note('plot', JSON.stringify(plot))
  const log = createOrderLog(run)
  const orders = drawOrders(run, plot)
  const book: OrderLog = {
    ...log,
    shows: (payment, shower) => {
      log.shows(payment, shower)
      const { memo, state } = payment
      const isFinal = 'isFinal' in state && state.isFinal
      const isCopied = state.status === 'stored' || (plot.journal === 'old copy twice' && isFinal)
      if (isCopied && !stage.isOver)
        stage.oldCopies.push({ memo, copy: stage.machines[0]?.disk.copyOf(JOURNAL) ?? null })
    },
  }
  const sent = new Map<string, Transaction>()
  const world = createWorld(run, plot, {
    onRefused: ({ data }, isForNow) => void (isForNow || stage.refusedForGood.add(data)),
    strayed: (body, unnamedMs) => {
      const memo = postedTransaction(body)?.data
      if (unnamedMs < NAMED_MS) run.note('faults', `${memo} goes astray, which nobody could know`)
      else run.violate('I1', `${memo} is posted to another chain`)
    },
    inspect: ({ method, body = '', query = '' }, program) => {
      if (body.includes(account.canary) || query.includes(account.canary))
        run.violate('I3', 'the key is in a request')
      if (method === 'POST') judgeBytes(stage, body, program, sent)
    },
    isRehearsal: () => stage.isRehearsal,
    mayStray: () => plot.isPinned || orders.every(({ memo }) => book.hasLeft(memo)),
  })
  const stage: Stage = {
    ...{ run, mutation, plot, orders, book, world, machines: [], refusedForGood: new Set(), oldCopies: [] },
    ...{ isCalm: false, isOver: false, planned: 0, copyIsFor: 'nothing', isCopyAccepted: false },
    signer: plot.hasPlainSigner ? plainSigner : account.wallet,
    isRehearsal: plot.chains === 'rehearsal',
    isWhole: plot.chains === 'one',
    isLookedAt: plot.hasPast,
  }
  return stage
}

/** Judges what leaves a program: what was ordered, stored before, and borne by the balance. */
function judgeBytes(stage: Stage, body: string, program: Program, sent: Map<string, Transaction>): void {
  const { run, book, orders, machines, world } = stage
  const to = chainOf(stage)
  const machine = machines.find(({ name }) => program.name.startsWith(name))
  const stored = machine?.disk.durableText(JOURNAL) ?? ''
  book.sees(body, { name: machine?.name ?? 'nobody', chain: to, stored })
  const transaction = postedTransaction(body)
  if (transaction === null) return
  const { data, amount, tokenId } = transaction
  const order = orders.find(({ memo }) => memo === data.replace(AGAIN, ''))
  if (tokenId !== (order?.tokenId ?? manifoldTokens.native.id) || amount !== order?.amount)
    run.violate('I1', `${data} is sent as ${amount} of ${tokenId}`)
  const isFirst = !sent.has(data)
  sent.set(data, transaction)
  if (isFirst && isTogether(stage) && to === world.chain) judgeSum(run, book, world, [...sent.values()])
}

function createPeopleOf(stage: Stage): Habits {
  const { run, plot, book, refusedForGood } = stage
  const look = (): void => {
    stage.isLookedAt = true
    stage.machines[0]?.payer.startAgain('to look at the history', () => undefined)
  }
  return createPeople(run, book, {
    isCalm: () => stage.isCalm,
    isRehearsal: () => stage.isRehearsal,
    isWhole: () => isTogether(stage),
    isOver: () => stage.isOver,
    isMeant: (memo) => memo.startsWith(OWN) === (stage.copyIsFor === 'its own') || stage.copyIsFor === 'all',
    paid: () => executions(chainOf(stage)),
    wasRefusedForGood: (memo) => refusedForGood.has(memo),
    look: plot.hasPast ? look : null,
  })
}

function addMachine(stage: Stage, people: Habits, name: string, copy: Uint8Array | null): Payer {
  const { run, mutation, plot, book, orders, world } = stage
  const { chance } = run
  const disk = new SimulatedDisk(run)
  disk.restore(JOURNAL, copy)
  disk.faultRates = stage.isCalm ? {} : { full: chance.pick([0, 0, 0, 0.03]) }
  const store = plot.hasFailingStore ? failingStore(run, () => stage.isCalm) : undefined
  const wasSettled: Habits['wasSettled'] = async (order, handle, payments) => {
    if (handle.state.status === 'confirmed') stage.isLookedAt = false
    await people.wasSettled?.(order, handle, payments)
  }
  const payer = createPayer({
    ...{ run, mutation, book, name, disk, orders, isCalm: () => stage.isCalm },
    pollMs: chance.pick([2_000, 4_000]),
    // Another life could not know that its orders were meant for another chain.
    isMortal: plot.isPinned || plot.chains !== 'strays',
    clockShifts: [-3.6e6, -3.2e10, 3.6e6, 3.2e10],
    chain: () => chainOf(stage),
    isFoundOutAgain: () => disk.hasFailed || plot.hasFailingStore || !stage.isWhole,
    clientOf: (program, wrap) => {
      const { origin } = chainOf(stage).origin.genesis
      const addresses = stage.isRehearsal ? world.rehearsal : world.real
      return addresses.clientOf(program, wrap, plot.isPinned ? networkOf(origin.hash) : undefined)
    },
    acceptDamage: () =>
      stage.isOver ? stage.isCopyAccepted : stage.isLookedAt || (plot.hasPast && !stage.isWhole),
    signer: () => stage.signer,
    habits: { ...people, wasSettled, ...(store === undefined ? {} : { journal: store }) },
  })
  stage.machines.push({ name, disk, payer })
  return payer
}

const networkOf = (originHash: string) => ({
  ...{ name: 'simulated', apiUrl: 'https://simulated.test', gatewayUrl: 'wss://simulated.test' },
  ...{ nativeTokenId: manifoldTokens.native.id, nativeSymbol: 'DEV', nativeDecimals: 10, originHash },
})

/** Noted when a program, and the journal of its rehearsal, are set up for the real network. */
export const SET_UP_FOR_REAL = 'set the program up for the real network'

/** Plans what becomes of the journal, and of the chain that the program is set up for. */
function playJournal(stage: Stage, people: Habits): void {
  const { run, plot, book, machines } = stage
  const { chance, time } = run
  const [machine] = machines
  if (machine === undefined) return
  const { disk, payer } = machine
  const plan = (inMs: number, doing: () => void): void => {
    stage.planned++
    time.after(inMs, () => {
      stage.planned--
      doing()
    })
  }
  const atMs = chance.ms(0, 150_000)
  const laterMs = atMs + chance.ms(1_000, 120_000)
  const put = (copy: Uint8Array | null) => (): void => {
    stage.isWhole = false
    book.forgetsRefusals()
    disk.restore(JOURNAL, copy)
  }
  if (plot.journal === 'asked again')
    plan(laterMs, () => payer.startAgain('to be asked again', () => undefined))
  if (plot.journal === 'lost') plan(laterMs, () => payer.startAgain('its journal is lost', put(null)))
  if (plot.journal === 'old copy')
    plan(atMs, () => {
      const copy = disk.copyOf(JOURNAL)
      run.fault('disk', 'journal copied')
      plan(laterMs - atMs, () => payer.startAgain('its journal is an old copy', put(copy)))
    })
  if (plot.journal === 'second machine')
    plan(atMs, () => {
      stage.isWhole = false
      book.forgetsRefusals()
      run.fault('faults', 'a second machine begins')
      addMachine(stage, people, 'second', chance.is(0.7) ? disk.copyOf(JOURNAL) : null).start()
    })
  if (stage.isRehearsal)
    plan(chance.ms(60_000, 120_000), () =>
      payer.startAgain('for the real network', () => {
        run.note('people', SET_UP_FOR_REAL)
        stage.isRehearsal = false
        stage.isLookedAt = plot.hasPast
      }),
    )
}

function calmDown(stage: Stage): void {
  const { run, plot, world, machines } = stage
  run.time.after(CALM_AT_MS, () => {
    stage.isCalm = true
    world.calm()
    for (const { disk } of machines) disk.faultRates = {}
    run.note('faults', 'calm')
  })
  // A payment that is kept back because of what its journal does not have waits for somebody to look.
  run.time.after(CALM_AT_MS + LOOKED_MS, () => {
    if (plot.journal === 'kept' || plot.journal === 'asked again') return
    stage.isLookedAt = true
    for (const { payer } of machines)
      if (!payer.isDone()) payer.startAgain('to look at the history', () => undefined)
  })
}

/** Starts the program over a copy of its journal that was made when an order was signed that came to nothing. */
function useOldCopy(stage: Stage): void {
  const { book, machines, oldCopies } = stage
  const [machine] = machines
  machine?.payer.startAgain('its journal is an old copy at last', () => {
    stage.isOver = true
    stage.isWhole = false
    const worst = oldCopies.find(({ memo }) => book.cameToNothing(memo)) ?? oldCopies[0]
    machine.disk.restore(JOURNAL, worst?.copy ?? null)
  })
}

/** Time in which an old copy pays what it can, after the last fault, in ms. */
const COPY_MS = 600_000

/**
 * Starts the program over any copy of its journal, or over none, for orders of its own; and when those are final, for all
 * orders, perhaps with a signer that derives no nonces. Then nothing but the journal and the chain can say what was paid.
 */
async function useOldCopyTwice(stage: Stage): Promise<void> {
  const { run, book, machines, oldCopies, orders } = stage
  const { chance, time } = run
  const [machine] = machines
  if (machine === undefined) return
  const { payer, disk } = machine
  const untilDone = () =>
    time.run({
      untilMs: Math.max(time.now(), CALM_AT_MS) + COPY_MS,
      isDone: payer.isDone,
      maxEvents: MAX_EVENTS,
    })
  payer.startAgain('its journal is an old copy', () => {
    stage.isOver = true
    stage.isWhole = false
    stage.copyIsFor = 'its own'
    // Whoever accepts this accepts that what was refused for good is sent again.
    stage.isCopyAccepted = chance.is(0.3) && !orders.some(({ memo }) => book.cameToNothing(memo))
    const copy = chance.pick([null, oldCopies[0], ...oldCopies])?.copy ?? null
    disk.restore(JOURNAL, copy)
    const rest = `${copy?.length ?? 0} bytes${stage.isCopyAccepted ? ', accepted' : ''}`
    run.fault('disk', `an old copy is used for orders of its own, ${rest}`)
  })
  if ((await untilDone()) !== 'done') return
  payer.startAgain('its journal has paid', () => {
    stage.copyIsFor = 'all'
    stage.isCopyAccepted = false
    const isSimple = chance.is(0.6)
    if (isSimple) stage.signer = plainSigner
    run.note(
      'people',
      `the old copy has paid and is used for all orders${isSimple ? ', without nonces' : ''}`,
    )
  })
  await untilDone()
}

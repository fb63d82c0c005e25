import { type Transaction, toAmount, transactionHash } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { payer as account, stranger } from '../world/accounts.ts'
import { type Addresses, type AddressesParameters, createAddresses } from '../world/addresses.ts'
import { manifoldOrigin, manifoldTokens, otherOrigin } from '../world/chain-origin.ts'
import { createFullNode, type FullNode, type FullNodeParameters } from '../world/full-node.ts'
import { postedTransaction } from '../world/mempool.ts'
import { type Producer, STEADY, startProducer } from '../world/producer.ts'
import { type ChainView, SimulatedChain } from '../world/simulated-chain.ts'
import { SimulatedDisk } from '../world/simulated-disk.ts'
import { type StrangerRates, startStrangers } from '../world/strangers.ts'
import { createOrderLog, executions, type OrderLog } from './order-log.ts'
import { createPayer, type Habits, JOURNAL, type Order, type Payer } from './payer.ts'
import { AGAIN, createPeople, failingStore } from './people.ts'

/** Time of the last fault, in ms. Strangers go on. */
const CALM_AT_MS = 240_000
/** Time at which everything must be settled, in ms. */
const END_MS = CALM_AT_MS + 1_800_000
/** Time after the last fault in which people find a payment that waits for them, in ms. */
const LOOKED_MS = 300_000
const MAX_EVENTS = 150_000
/** Time that a client may rely on what an address said about its chain, and a request may be under way, in ms. */
const NAMED_MS = 35_000

/** What is special about a run; most are about few things. */
type Plot = {
  /** Whether there is another chain, and how the program meets it. */
  readonly chains: 'one' | 'strays' | 'rehearsal'
  /** True if the program knows the first block of its network. */
  readonly isPinned: boolean
  /** What becomes of the journal. */
  readonly journal: 'kept' | 'asked again' | 'old copy' | 'old copy at last' | 'lost' | 'second machine'
  /** True if the account made payments before there was a journal. */
  readonly hasPast: boolean
  readonly hasFailingStore: boolean
  /** Of what the payer has too little for two orders at once. */
  readonly scarce: 'nothing' | 'coins' | 'coins for fees'
  readonly strangers: StrangerRates
}

function drawPlot({ chance }: Run): Plot {
  const chains = chance.pick(['one', 'one', 'one', 'strays', 'rehearsal'] as const)
  const isPinned = chance.is(0.5)
  const journal = chance.pick([
    ...(['kept', 'kept', 'asked again', 'old copy', 'old copy at last', 'lost', 'second machine'] as const),
  ])
  const isPlain = chains === 'rehearsal' || (chains === 'strays' && !isPinned)
  return {
    chains,
    isPinned,
    // Otherwise nobody could know which chain an order is meant for.
    journal: isPlain ? 'kept' : journal,
    hasPast: chance.is(0.25),
    hasFailingStore: chance.is(0.1) && !isPlain,
    scarce: chance.pick(['nothing', 'nothing', 'coins', 'coins for fees'] as const),
    strangers: {
      repeats: chance.pick([0, 0, 0.3, 1]),
      recalls: chance.pick([0, 0, 0.2]),
      reach: chance.pick([0.3, 1]),
      dust: chance.pick([0, 0.3]),
      floods: chance.pick([0, 0, 0.03]),
    },
  }
}

function drawOrders({ chance }: Run, { scarce, hasPast }: Plot): readonly Order[] {
  const { native, fixed, zeros, dear } = manifoldTokens
  const small = (at: number): Order => {
    const tokenId = chance.pick([undefined, undefined, native.id, fixed.id, zeros.id])
    return {
      memo: `order ${at}`,
      atMs: chance.ms(0, hasPast ? 220_000 : 90_000),
      amount: BigInt(chance.whole(10_000, 99_999)) * 10n ** 7n,
      tokenId,
    }
  }
  const orders = Array.from({ length: chance.whole(1, 3) }, (_, at) => small(at))
  if (scarce === 'nothing') return orders
  const atMs = chance.ms(0, 60_000)
  const large = { atMs, amount: 6n * 10n ** 15n }
  const costly = { atMs, amount: 1_000n, tokenId: dear.id, nativeFeeCap: 10n ** 16n }
  const of = scarce === 'coins' ? large : costly
  const more = Array.from({ length: chance.whole(2, 3) }, (_, at) => ({ ...of, memo: `large order ${at}` }))
  return [...orders, ...more]
}

/** Networks of several nodes, and whoever else is there. */
type World = {
  readonly chain: SimulatedChain
  readonly other: SimulatedChain
  readonly real: Addresses
  readonly rehearsal: Addresses
  /** What the nodes know that may answer. */
  readonly views: () => readonly ChainView[]
  readonly calm: () => void
  readonly stop: () => void
  readonly producer: Producer
}

/**
 * Payments in a world that does not agree with itself: nodes of one chain with tips and pools of their own behind one
 * address, pools that restart and refuse, an address that leads to another chain, strangers who post again what was
 * executed, journals that are copied, restored and lost, and people who ask twice. At the end each order was paid once
 * on its chain, or reported as not paid.
 */
export async function disagreement(run: Run, mutation: Mutation): Promise<void> {
  const { chance, time } = run
  const plot = drawPlot(run)
  run.note('plot', JSON.stringify(plot))
  const book = createOrderLog(run)
  const orders = drawOrders(run, plot)
  const machines: { readonly name: string; readonly disk: SimulatedDisk; readonly payer: Payer }[] = []
  let isCalm = false
  let isRehearsal = plot.chains === 'rehearsal'
  let isWhole = plot.chains === 'one'
  let planned = 0
  /** True if an old copy of the journal is used after everything was told; nobody has looked at the history. */
  let isOver = false

  const diskOf = ({ name }: Program): SimulatedDisk | undefined =>
    machines.find((one) => name.startsWith(one.name))?.disk
  const isTogether = (): boolean => machines.length === 1 && isWhole
  const refusedForGood = new Set<string>()
  const world = createWorld(run, plot, {
    onRefused: ({ data }, isForNow) => void (isForNow || refusedForGood.add(data)),
    strayed: (body, unnamedMs) => {
      const memo = postedTransaction(body)?.data
      if (unnamedMs < NAMED_MS) run.note('faults', `${memo} goes astray, which nobody could know`)
      else run.violate('I1', `${memo} is posted to another chain`)
    },
    inspect: ({ method, body = '', query = '' }, program) => {
      if (body.includes(account.canary) || query.includes(account.canary))
        run.violate('I3', 'the key is in a request')
      if (method !== 'POST') return
      const to = isRehearsal ? world.other : world.chain
      book.sees(body, { chain: to, stored: diskOf(program)?.durableText(JOURNAL) ?? '' })
      const transaction = postedTransaction(body)
      if (transaction !== null) judgeBytes(transaction, to)
    },
    isRehearsal: () => isRehearsal,
    mayStray: () => plot.isPinned || orders.every(({ memo }) => book.hasLeft(memo)),
  })

  const people = createPeople(run, book, {
    isCalm: () => isCalm,
    isRehearsal: () => isRehearsal,
    isWhole: isTogether,
    isOver: () => isOver,
    isPaid: (memo) => (executions(isRehearsal ? world.other : world.chain).get(memo) ?? 0) > 0,
    wasRefusedForGood: (memo) => refusedForGood.has(memo),
    look: plot.hasPast ? () => looks() : null,
  })
  let isLookedAt = plot.hasPast
  function looks(): void {
    isLookedAt = true
    first.startAgain('to look at the history', () => undefined)
  }
  const sent = new Map<string, Transaction>()
  function judgeBytes(transaction: Transaction, to: SimulatedChain): void {
    const order = orders.find(({ memo }) => memo === transaction.data.replace(AGAIN, ''))
    const tokenId = order?.tokenId ?? manifoldTokens.native.id
    if (transaction.tokenId !== tokenId || transaction.amount !== order?.amount)
      run.violate('I1', `${transaction.data} is sent as ${transaction.amount} of ${transaction.tokenId}`)
    const isFirst = !sent.has(transaction.data)
    sent.set(transaction.data, transaction)
    if (isFirst && isTogether() && to === world.chain) judgeSum(run, book, world, [...sent.values()])
  }

  function addMachine(name: string, copy: Uint8Array | null): Payer {
    const disk = new SimulatedDisk(run)
    disk.restore(JOURNAL, copy)
    disk.faultRates = isCalm ? {} : { full: chance.pick([0, 0, 0, 0.03]) }
    const store = plot.hasFailingStore ? failingStore(run, () => isCalm) : undefined
    const wasSettled: Habits['wasSettled'] = async (order, handle, payments) => {
      if (handle.state.status === 'confirmed') isLookedAt = false
      await people.wasSettled?.(order, handle, payments)
    }
    const payer = createPayer({
      ...{ run, mutation, book, name, disk, orders, isCalm: () => isCalm },
      pollMs: chance.pick([2_000, 4_000]),
      // Another life could not know that its orders were meant for another chain.
      isMortal: plot.isPinned || plot.chains !== 'strays',
      clockShifts: [-3.6e6, -3.2e10, 3.6e6, 3.2e10],
      chain: () => (isRehearsal ? world.other : world.chain),
      isFoundOutAgain: () => disk.hasFailed || plot.hasFailingStore || !isWhole,
      clientOf: (program, wrap) => {
        const name = isRehearsal ? 'OTHERGENESIS' : 'DEVGENESIS'
        const addresses = isRehearsal ? world.rehearsal : world.real
        return addresses.clientOf(program, wrap, plot.isPinned ? networkOf(name) : undefined)
      },
      acceptDamage: () => !isOver && (isLookedAt || (plot.hasPast && !isWhole)),
      habits: { ...people, wasSettled, ...(store === undefined ? {} : { journal: store }) },
    })
    machines.push({ name, disk, payer })
    return payer
  }

  const first = addMachine('payer', null)
  const disk = (): SimulatedDisk => machines[0]?.disk ?? new SimulatedDisk(run)
  const plan = (atMs: number, doing: () => void): void => {
    planned++
    time.after(atMs, () => {
      planned--
      doing()
    })
  }
  let oldCopy: Uint8Array | null = null
  playJournal()
  if (isRehearsal)
    plan(chance.ms(60_000, 120_000), () =>
      first.startAgain('for the real network', () => {
        isRehearsal = false
        isLookedAt = plot.hasPast
      }),
    )

  function playJournal(): void {
    const atMs = chance.ms(0, 150_000)
    const laterMs = atMs + chance.ms(1_000, 120_000)
    const put = (copy: Uint8Array | null) => (): void => {
      isWhole = false
      book.forgetsRefusals()
      disk().restore(JOURNAL, copy)
    }
    if (plot.journal === 'asked again')
      plan(laterMs, () => first.startAgain('to be asked again', () => undefined))
    if (plot.journal === 'lost') plan(laterMs, () => first.startAgain('its journal is lost', put(null)))
    if (plot.journal === 'old copy at last')
      plan(atMs, () => {
        run.fault('disk', 'journal copied')
        oldCopy = disk().copyOf(JOURNAL)
      })
    if (plot.journal === 'old copy')
      plan(atMs, () => {
        const copy = disk().copyOf(JOURNAL)
        run.fault('disk', 'journal copied')
        plan(laterMs - atMs, () => first.startAgain('its journal is an old copy', put(copy)))
      })
    if (plot.journal === 'second machine')
      plan(atMs, () => {
        isWhole = false
        book.forgetsRefusals()
        run.fault('faults', 'a second machine begins')
        addMachine('second', chance.is(0.7) ? disk().copyOf(JOURNAL) : null).start()
      })
  }

  time.after(CALM_AT_MS, () => {
    isCalm = true
    world.calm()
    for (const machine of machines) machine.disk.faultRates = {}
    run.note('faults', 'calm')
  })
  // A payment that is kept back because of what its journal does not have waits for somebody to look.
  time.after(CALM_AT_MS + LOOKED_MS, () => {
    if (plot.journal === 'kept' || plot.journal === 'asked again') return
    isLookedAt = true
    for (const { payer } of machines)
      if (!payer.isDone()) payer.startAgain('to look at the history', () => undefined)
  })
  world.producer.onChange(() => book.look(world.chain))

  first.start()
  const isDone = (): boolean => planned === 0 && machines.every(({ payer }) => payer.isDone())
  const end = await time.run({ untilMs: END_MS, isDone, maxEvents: MAX_EVENTS })
  if (end === 'endless') run.violate('I4', 'it does not come to rest')
  if (end === 'late')
    run.violate(
      'I4',
      `not settled half an hour after the last fault: ${machines.flatMap(({ payer }) => payer.open()).join(', ')}`,
    )
  // Everything is told by now, and all that was refused has been replaced.
  if (plot.journal === 'old copy at last' && end === 'done')
    first.startAgain('its journal is an old copy at last', () => {
      isOver = true
      isWhole = false
      disk().restore(JOURNAL, oldCopy)
    })
  // What is refused for good stays out.
  await time.run({ untilMs: time.now() + 300_000, isDone: () => false, maxEvents: MAX_EVENTS })
  world.stop()
  book.judge()
  for (const one of [world.chain, world.other]) book.look(one)
  if (machines.some((machine) => machine.disk.everything().includes(account.canary)))
    run.violate('I3', 'the key is on the disk')
}

const networkOf = (originHash: string) => ({
  ...{ name: 'simulated', apiUrl: 'https://simulated.test', gatewayUrl: 'wss://simulated.test' },
  ...{ nativeTokenId: manifoldTokens.native.id, nativeSymbol: 'DEV', nativeDecimals: 10, originHash },
})

/**
 * What is signed and not yet executed, with its fees, may not need more than there is, by what one of the nodes knows.
 * Where nodes of different tips answer at one address, nobody can say to which of them a balance belongs: there what
 * one knows of the payments counts with what another one knows of the balance.
 */
function judgeSum(run: Run, book: OrderLog, world: World, sent: readonly Transaction[]): void {
  const { native, dear } = manifoldTokens
  const ledgers = world.views().map((view) => view.blocks.at(-1)?.ledger ?? view.origin.ledger)
  const needs = ledgers.map(({ isCalculated }) => {
    let sum = 0n
    for (const transaction of sent) {
      const { data: memo, tokenId, amount } = transaction
      if (isCalculated(transactionHash(transaction)) || book.cameToNothing(memo)) continue
      if (tokenId === native.id) sum += amount
      if (tokenId === dear.id) sum += dear.feeValue
    }
    return sum
  })
  const balances = ledgers.map((ledger) => ledger.balance(account.address, native.id) ?? 0n)
  const isBorne = world.real.areMixed
    ? needs.some((need) => balances.some((balance) => need <= balance))
    : needs.some((need, at) => need <= (balances[at] ?? 0n))
  if (!isBorne) run.violate('I1', `${needs[0]} native units are under way, and there are ${balances[0]}`)
}

const pastPayment = (nonce: number): Transaction =>
  account.wallet.signTransaction({
    ...{ from: account.address, to: stranger.address, amount: toAmount(50_000_000_000n), nonce },
    ...{ data: `past ${nonce}`, tokenId: manifoldTokens.native.id },
  })

function createWorld(
  run: Run,
  plot: Plot,
  given: Pick<AddressesParameters, 'inspect' | 'strayed'> & {
    readonly onRefused: FullNodeParameters['onRefused']
    readonly mayStray: () => boolean
    readonly isRehearsal: () => boolean
  },
): World {
  const { chance, time } = run
  const chain = new SimulatedChain({ now: time.now, origin: manifoldOrigin })
  if (plot.hasPast) chain.publish([pastPayment(0), pastPayment(1)])
  const producer = startProducer(run, chain)
  const other = new SimulatedChain({ now: time.now, origin: otherOrigin })
  const otherProducer = plot.chains === 'one' ? null : startProducer(run, other)
  const passesOn = [0, 0.3, 1, 1] as const
  const nodeAt = (at: number): FullNode =>
    createFullNode({
      ...{ run, chain, name: `full${at}`, onChange: producer.onChange },
      passesOn: chance.pick(passesOn),
      restarts: chance.pick([0, 0, 0.2, 0.6]),
      onTaken: (transaction) => strangers.sees(transaction),
      onRefused: given.onRefused,
    })
  const nodes: readonly [FullNode, ...FullNode[]] = [
    nodeAt(0),
    ...Array.from({ length: chance.whole(1, 3) }, (_, at) => nodeAt(at + 1)),
  ]
  const foreign = createFullNode({
    ...{ run, chain: other, name: 'foreign', passesOn: 1, restarts: 0 },
    onTaken: () => undefined,
    onRefused: () => undefined,
    onChange: otherProducer?.onChange ?? (() => undefined),
  })
  const strangers = startStrangers({ run, chain, producer, nodes, rates: plot.strangers })
  producer.faultRates = {
    fork: chance.pick([0, 0, 0.1, 0.3]),
    taken: chance.pick([0.3, 0.8, 1]),
    forgets: chance.pick([0, 0, 0.1]),
  }
  const addresses = (name: string, behind: typeof nodes, count: number): Addresses =>
    createAddresses({ run, name, count, nodes: behind, foreign, ...given })
  const real = addresses('api', nodes, chance.pick([1, 1, 2, 3]))
  const rehearsal = addresses('rehearsal', [foreign], 1)
  const pace = chance.pick([4_000, 12_000])
  let isCalm = false

  function disturb(): void {
    if (isCalm) return
    const kind = chance.pick(['node', 'node', 'address', 'address', 'frozen', 'stray'] as const)
    if (kind === 'node') chance.pick(nodes).disturb()
    if (kind === 'address') (given.isRehearsal() ? rehearsal : real).disturb()
    if (kind === 'frozen' && chance.is(0.3)) {
      const ms = chance.ms(30_000, 200_000)
      run.fault('faults', `all nodes stand still for ${ms} ms`)
      for (const node of nodes) node.freeze(ms)
    }
    if (kind === 'stray' && plot.chains === 'strays' && given.mayStray()) real.stray()
    time.after(chance.ms(pace / 5, pace * 4), disturb)
  }
  time.after(chance.ms(0, 10_000), disturb)

  return {
    ...{ chain, other, producer, real, rehearsal },
    views: () => [chain.view(), ...nodes.map((node) => node.view())],
    calm: () => {
      isCalm = true
      producer.faultRates = STEADY
      real.calm()
      rehearsal.calm()
      for (const node of nodes) node.calm()
    },
    stop: () => {
      producer.stop()
      otherProducer?.stop()
    },
  }
}

import { isNodeError, toAmount, transactionHash } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import { createPayments, openFileJournal, type PaymentInfo, type Payments } from '../real.ts'
import { type Program, startProgram } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { payer, stranger, verify } from '../world/accounts.ts'
import { type ApiNodesParameters, createApiNodes } from '../world/api-nodes.ts'
import { type PostFault, postedTransaction, takePosted } from '../world/mempool.ts'
import { STEADY, startProducer } from '../world/producer.ts'
import { SimulatedChain } from '../world/simulated-chain.ts'
import { SimulatedDisk } from '../world/simulated-disk.ts'

const JOURNAL = '/data/payments.journal'
/** Time of the last fault, in ms. */
const CALM_AT_MS = 240_000
/** Time at which everything must be settled, in ms. */
const END_MS = CALM_AT_MS + 1_800_000
const MAX_EVENTS = 60_000
const MALLEATIONS: readonly PostFault[] = ['malleates the signature', 'appends to the signature']

class Killed extends Error {}

/**
 * An account pays several orders with a program that is killed, frozen and starved of disk space; the network loses,
 * repeats, forgets and forks. At the end each order was paid once, or reported as not paid.
 */
export async function payments(run: Run, mutation: Mutation): Promise<void> {
  const { chance, time } = run
  const chain = new SimulatedChain({ now: time.now })
  const disk = new SimulatedDisk(run)
  const producer = startProducer(run, chain)
  const book = createOrderLog(run, () => disk.hasFailed)
  let isCalm = false

  const postFault = chance.pick<PostFault>([
    ...(['none', 'none', 'none', 'forgets it', 'refuses it', 'refuses it and keeps it'] as const),
    ...(['names another hash', 'malleates the signature', 'appends to the signature'] as const),
  ])
  const isMalleated = MALLEATIONS.includes(postFault)
  const postFaults = chance.pick([0.2, 0.5])
  const inspect: ApiNodesParameters['inspect'] = ({ method, body = '', query = '' }) => {
    if (method === 'POST') book.sees(body, disk.durableText(JOURNAL))
    if (body.includes(payer.canary) || query.includes(payer.canary))
      run.violate('I3', 'the key is in a request')
  }
  const nodes = createApiNodes({
    run,
    chain,
    inspect,
    post: (body) => takePosted(run, chain, body, !isCalm && chance.is(postFaults) ? postFault : 'none'),
    // An attacker who malleates signatures and also replays or hides transactions can cause a second payment that no
    // client could prevent.
    ...(isMalleated ? { without: { late: 0, twice: 0 }, areUpToDate: true } : {}),
  })

  producer.faultRates = {
    fork: chance.pick([0, 0, 0.1, 0.3]),
    taken: chance.pick([0.3, 0.8, 1]),
    forgets: isMalleated ? 0 : chance.pick([0, 0, 0.1, 0.4]),
  }
  disk.faultRates = { full: chance.pick([0, 0, 0.03]), broken: chance.pick([0, 0, 0, 0.02]) }
  time.after(CALM_AT_MS, () => {
    isCalm = true
    producer.faultRates = STEADY
    disk.faultRates = {}
    nodes.calm()
    run.note('faults', 'calm')
  })
  producer.onChange(() => book.look(chain))

  const orders = book.take(chance.whole(1, 3))
  const settled = new Set<string>()
  const pollMs = chance.pick([2_000, 4_000])
  let lives = 0
  let isDone = false

  function live(): void {
    const program = startProgram(run, `payer.${++lives}`)
    const killAfterPlaces = !isCalm && chance.is(0.4) ? chance.whole(1, 80) : Number.POSITIVE_INFINITY
    const killAtMs = !isCalm && chance.is(0.4) ? chance.ms(0, 120_000) : Number.POSITIVE_INFINITY
    let places = 0
    const die = (how: string): void => {
      if (program.isOver()) return
      program.kill(how)
      if (chance.is(0.5)) {
        run.fault('disk', 'power cut')
        disk.cutPower()
      }
      time.after(chance.ms(100, 20_000), live)
    }
    if (Number.isFinite(killAtMs)) time.after(killAtMs, () => die('by time'))
    if (!isCalm && chance.is(0.2))
      time.after(chance.ms(0, 60_000), () => program.freeze(chance.ms(100, 90_000)))
    if (!isCalm && chance.is(0.2)) {
      time.after(chance.ms(0, 60_000), () => program.shiftWallClock(chance.pick([-3.6e6, 3.6e6, 3.2e10])))
    }
    const failpoint = (name: string): void => {
      if (program.isOver()) throw new Killed(name)
      if (++places !== killAfterPlaces) return
      die(`at "${name}"`)
      throw new Killed(name)
    }
    void runPayer(program, failpoint).catch((error: unknown) => {
      if (program.isOver() || error instanceof Killed) return
      run.violate('I4', `the program ended with ${String(error)}`)
    })
  }

  async function runPayer(program: Program, failpoint: (name: string) => void): Promise<void> {
    const { clock } = program
    const opened = await open(program, failpoint)
    const leaving = new AbortController()
    const pause = (ms: number): Promise<void> => clock.sleep(ms, leaving.signal)
    let diskFaults = 0
    const showAll = (): void => {
      for (const info of opened.list()) book.shows(info)
    }
    opened.subscribe((event) => {
      if (program.isOver()) return
      if (event.type === 'changed') book.shows(event.payment)
    })
    showAll()
    if (opened.damagedRecords > 0) run.violate('I4', 'a torn journal is called damaged')
    const restart = async (): Promise<void> => {
      leaving.abort(new Killed('restart'))
      await opened.close()
      run.note(program.name, 'restarts')
      if (program.timers() > 0) run.violate('I4', `${program.timers()} timers are left after close`)
      program.end()
      time.after(1_000, live)
    }
    const pay = async (memo: string, atMs: number, amount: bigint): Promise<void> => {
      await pause(Math.max(0, atMs - time.now()))
      while (!program.isOver()) {
        try {
          const order = { to: stranger.address, amount: toAmount(amount), memo, idempotencyKey: memo }
          const handle = await opened.pay(order)
          const { state } = await handle.settled()
          run.note(program.name, `${memo} is settled: ${state.status}`)
          settled.add(memo)
          return
        } catch (error) {
          if (program.isOver() || error instanceof Killed) return
          if (!isNodeError(error)) throw error
          run.note(program.name, `${memo}: ${error.code}`)
          if (error.code === 'PAYMENTS_CLOSED') return
          if (error.code === 'JOURNAL_WRITE_FAILED' || error.code === 'TRANSACTION_UNCERTAIN') diskFaults++
          if (diskFaults >= 3) {
            diskFaults = Number.NEGATIVE_INFINITY
            await restart()
            return
          }
          if (leaving.signal.aborted) return
          await pause(chance.ms(2_000, 15_000))
        }
      }
    }
    const resumed = opened.resume().catch((error: unknown) => {
      if (!isNodeError(error) && !(error instanceof Killed)) throw error
    })
    await Promise.all([resumed, ...orders.map(({ memo, atMs, amount }) => pay(memo, atMs, amount))])
    if (program.isOver() || settled.size < orders.length) return
    showAll()
    await opened.close()
    if (program.timers() > 0) run.violate('I4', `${program.timers()} timers are left after close`)
    program.end()
    isDone = true
  }

  async function open(program: Program, failpoint: (name: string) => void): Promise<Payments> {
    const { clock } = program
    for (;;) {
      try {
        const file = await openFileJournal({ path: JOURNAL, failpoint, disk: disk.of(program) })
        const journal = mutation.journal?.(file, program, run) ?? file
        const client = nodes.clientOf(program, (sent) => mutation.transport?.(sent, program, run) ?? sent)
        const wallet = mutation.signer?.(payer.wallet, program, run) ?? payer.wallet
        return await createPayments({
          client,
          journal,
          wallet,
          verify,
          failpoint,
          pollMs,
          minOverwritten: 5,
        })
      } catch (error) {
        if (program.isOver() || error instanceof Killed) return new Promise(() => undefined)
        if (!isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
        run.note(program.name, `journal: ${error.facts.reason}`)
        await clock.sleep(5_000)
      }
    }
  }

  live()
  const end = await time.run({ untilMs: END_MS, isDone: () => isDone, maxEvents: MAX_EVENTS })
  if (end === 'endless') run.violate('I4', 'it does not come to rest')
  if (end === 'late') {
    const open = orders.filter(({ memo }) => !settled.has(memo)).map(({ memo }) => memo)
    run.violate('I4', `not settled half an hour after the last fault: ${open.join(', ')}`)
  }
  // Late requests arrive now, and forked transactions would come back.
  await time.run({ untilMs: time.now() + 120_000, isDone: () => false, maxEvents: MAX_EVENTS })
  producer.stop()
  book.judge(chain)
  if (disk.everything().includes(payer.canary)) run.violate('I3', 'the key is on the disk')
}

type Order = { readonly memo: string; readonly atMs: number; readonly amount: bigint }

/** Records what was ordered, sent, shown and executed, and checks that it is consistent. */
function createOrderLog(run: Run, hasDiskFailed: () => boolean) {
  const { chance } = run
  const bodies = new Map<string, string>()
  const finals = new Map<string, { readonly memo: string; readonly status: string }>()

  const executed = (chain: SimulatedChain): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const { report, transactions } of chain.blocks) {
      for (const { hash, status } of report.transactions) {
        const memo = transactions.get(hash)?.data ?? ''
        if (status === 'confirmed' && memo !== '') counts.set(memo, (counts.get(memo) ?? 0) + 1)
      }
    }
    return counts
  }

  return {
    take: (count: number): readonly Order[] =>
      Array.from({ length: count }, (_, at) => ({
        memo: `order ${at}`,
        atMs: chance.ms(0, 90_000),
        amount: 1_000_000_000_000n + BigInt(chance.whole(0, 1_000_000)),
      })),
    /** Called with a request body that leaves the program. */
    sees: (body: string, stored: string): void => {
      const transaction = postedTransaction(body)
      if (transaction === null) {
        run.violate('I1', 'what is sent is not a signed transaction')
        return
      }
      const { data: memo, signature } = transaction
      run.note('payer', `sends ${memo} ${transactionHash(transaction).slice(0, 8)}`)
      if (!stored.includes(signature)) run.violate('I1', `${memo} is sent before it is stored`)
      const before = bodies.get(memo)
      if (before !== undefined && before !== body)
        run.violate('I1', `${memo} is sent in other bytes than before`)
      bodies.set(memo, body)
    },
    /** Called with a state shown to the user. */
    shows: ({ id, memo, state }: PaymentInfo): void => {
      const { status } = state
      const isFinal = 'isFinal' in state && state.isFinal
      run.note('shown', `${memo} ${status}${isFinal ? ' for good' : ''}`)
      const before = finals.get(id)
      // After a failed disk the last record may be missing, so the state is determined again.
      const isFoundOutAgain = !isFinal && hasDiskFailed()
      if (before !== undefined && !isFoundOutAgain && !(isFinal && status === before.status)) {
        run.violate('I1', `${memo} was ${before.status} for good and is ${status}`)
      }
      if (isFinal) finals.set(id, { memo, status })
    },
    look: (chain: SimulatedChain): void => {
      for (const [memo, times] of executed(chain)) {
        if (times > 1) run.violate('I1', `${memo} was paid ${times} times`)
      }
    },
    judge: (chain: SimulatedChain): void => {
      const counts = executed(chain)
      for (const { memo, status } of finals.values()) {
        const times = counts.get(memo) ?? 0
        const expected = status === 'confirmed' || status === 'superseded' ? 1 : 0
        if (times !== expected) run.violate('I1', `${memo} is ${status} for good and was paid ${times} times`)
      }
      for (const [memo, times] of counts) {
        if (times > 1) run.violate('I1', `${memo} was paid ${times} times`)
      }
    },
  }
}

import { isNodeError, type NodeError, type TokenId, toAmount } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import {
  type ClientCore,
  createPayments,
  type JournalStore,
  openFileJournal,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSigner,
  type Payments,
  type PayParameters,
  type Transport,
} from '../real.ts'
import { type Program, startProgram } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { payer as account, stranger, verify } from '../world/accounts.ts'
import type { SimulatedChain } from '../world/simulated-chain.ts'
import type { SimulatedDisk } from '../world/simulated-disk.ts'
import type { OrderLog } from './order-log.ts'

export const JOURNAL = '/data/payments.journal'

/** What somebody wants to be paid once. The memo is its idempotency key. */
export type Order = {
  readonly memo: string
  readonly atMs: number
  readonly amount: bigint
  /** @default the native token */
  readonly tokenId?: TokenId | undefined
  /** Native units that a transfer of its token may take. */
  readonly nativeFeeCap?: bigint | undefined
}

/** What the people who use the program do besides; nothing of it by default. */
export type Habits = {
  /** False for an order that is not asked for any more. */
  readonly isWanted?: ((order: Order) => boolean) | undefined
  /** Called before each `pay`. */
  readonly asks?: ((order: Order) => PayParameters) | undefined
  /** Called when the payments of a journal are opened, before anything is asked of them. */
  readonly hasOpened?: ((payments: Payments) => void) | undefined
  /** Called when `pay` rejects. @returns true if it is not asked for again */
  readonly wasRefused?: ((order: Order, error: NodeError, payments: Payments) => boolean) | undefined
  /** Called when an order is settled. */
  readonly wasSettled?:
    | ((order: Order, handle: PaymentHandle, payments: Payments) => Promise<void>)
    | undefined
  /** Puts a store of somebody's own around the journal. */
  readonly journal?: ((store: JournalStore) => JournalStore) | undefined
}

export type PayerParameters = {
  readonly run: Run
  readonly mutation: Mutation
  readonly book: OrderLog
  readonly name: string
  readonly disk: SimulatedDisk
  readonly orders: readonly Order[]
  readonly pollMs: number
  /** By how much the wall clock may be moved, in ms. */
  readonly clockShifts: readonly [number, ...number[]]
  readonly isCalm: () => boolean
  /** False for a program that is never killed. @default true */
  readonly isMortal?: boolean | undefined
  /** The chain that the program is set up for. */
  readonly chain: () => SimulatedChain
  /** True if records of the journal are missing. */
  readonly isFoundOutAgain: () => boolean
  readonly clientOf: (program: Program, wrap: (transport: Transport) => Transport) => ClientCore
  /** True if somebody looked at the account's history, and what the journal does not know is known. @default false */
  readonly acceptDamage?: (() => boolean) | undefined
  /** The wallet of a life that begins. @default one that derives nonces */
  readonly signer?: (() => PaymentSigner) | undefined
  readonly habits?: Habits | undefined
}

/** A program that pays orders, over all of its lives. */
export type Payer = {
  readonly start: () => void
  /** True when every order is settled and the program has ended. */
  readonly isDone: () => boolean
  /** Memos of orders that are not settled. */
  readonly open: () => readonly string[]
  /** Ends the program, changes what is around it, and starts it for all orders again. */
  readonly startAgain: (why: string, change: () => void) => void
}

class Killed extends Error {}

/** Time for which a program waits for payments that nobody orders any more, before it ends: three minutes. */
const [MOST_WAITS, WAIT_MS] = [18, 10_000]

const isOver = (state: PaymentInfo['state']): boolean =>
  state.status === 'withdrawn' || ('isFinal' in state && state.isFinal)

export const orderOf = ({ memo, amount, tokenId, nativeFeeCap }: Order): PayParameters => ({
  to: stranger.address,
  amount: toAmount(amount),
  memo,
  idempotencyKey: memo,
  ...(tokenId === undefined ? {} : { tokenId }),
  ...(nativeFeeCap === undefined ? {} : { feeCap: { nativeUnits: nativeFeeCap } }),
})

/** Pays orders with a program that is killed, frozen and restarted. */
export function createPayer(parameters: PayerParameters): Payer {
  const { run, mutation, book, name, disk, orders, isCalm, habits = {} } = parameters
  const { chance, time } = run
  const settled = new Set<string>()
  let lives = 0
  let isDone = false
  let current: Program | null = null
  const isMortal = (): boolean => !isCalm() && parameters.isMortal !== false

  function live(): void {
    const program = startProgram(run, `${name}.${++lives}`)
    current = program
    const killAfterPlaces = isMortal() && chance.is(0.4) ? chance.whole(1, 80) : Number.POSITIVE_INFINITY
    const killAtMs = isMortal() && chance.is(0.4) ? chance.ms(0, 120_000) : Number.POSITIVE_INFINITY
    let places = 0
    const die = (how: string): void => {
      if (program.isOver()) return
      program.kill(how)
      if (chance.is(0.5)) {
        run.fault('disk', 'power cut')
        disk.cutPower()
      }
      time.after(chance.ms(100, 20_000), () => liveAfter(program))
    }
    if (Number.isFinite(killAtMs)) time.after(killAtMs, () => die('by time'))
    if (!isCalm() && chance.is(0.2))
      time.after(chance.ms(0, 60_000), () => program.freeze(chance.ms(100, 90_000)))
    if (!isCalm() && chance.is(0.2)) {
      time.after(chance.ms(0, 60_000), () => program.shiftWallClock(chance.pick(parameters.clockShifts)))
    }
    const failpoint = (place: string): void => {
      if (program.isOver()) throw new Killed(place)
      if (++places !== killAfterPlaces) return
      die(`at "${place}"`)
      throw new Killed(place)
    }
    void pays(program, failpoint).catch((error: unknown) => {
      if (program.isOver() || error instanceof Killed) return
      run.violate('I4', `the program ended with ${String(error)}`)
    })
  }

  /** Unless it was started meanwhile. */
  function liveAfter(program: Program): void {
    if (current === program) live()
  }

  async function pays(program: Program, failpoint: (place: string) => void): Promise<void> {
    const { clock } = program
    const unmutated = await open(program, failpoint)
    const opened = mutation.payments?.(unmutated, program, run) ?? unmutated
    habits.hasOpened?.(opened)
    const leaving = new AbortController()
    const pause = (ms: number): Promise<void> => clock.sleep(ms, leaving.signal)
    const shower = () => ({ name, chain: parameters.chain(), isFoundOutAgain: parameters.isFoundOutAgain() })
    let diskFaults = 0
    const showAll = (): void => {
      for (const info of opened.list()) if (!info.isOfOtherChain) book.shows(info, shower())
    }
    opened.subscribe((event) => {
      if (program.isOver()) return
      if (event.type === 'changed') book.shows(event.payment, shower())
    })
    showAll()
    if (opened.damagedRecords > 0) run.violate('I4', 'a torn journal is called damaged')
    const restart = async (): Promise<void> => {
      leaving.abort(new Killed('restart'))
      await opened.close()
      run.note(program.name, 'restarts')
      if (program.timers() > 0) run.violate('I4', `${program.timers()} timers are left after close`)
      program.end()
      time.after(1_000, () => liveAfter(program))
    }
    const pay = async (order: Order): Promise<void> => {
      const { memo } = order
      await pause(Math.max(0, order.atMs - time.now()))
      while (!program.isOver()) {
        if (habits.isWanted?.(order) === false) return void settled.add(memo)
        try {
          const handle = await opened.pay((habits.asks ?? orderOf)(order))
          const { state } = await handle.settled()
          run.note(program.name, `${memo} is settled: ${state.status}`)
          settled.add(memo)
          book.answers(memo, state.status, parameters.chain())
          await habits.wasSettled?.(order, handle, opened)
          return
        } catch (error) {
          if (program.isOver() || error instanceof Killed) return
          if (!isNodeError(error)) throw error
          run.note(program.name, `${memo}: ${error.code}`)
          if (error.code === 'PAYMENTS_CLOSED') return
          if (habits.wasRefused?.(order, error, opened)) return void settled.add(memo)
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
    await Promise.all([resumed, ...orders.map(pay)])
    if (program.isOver() || settled.size < orders.length) return
    // What was resumed may still be sent.
    const isOpen = (): boolean => opened.list().some(({ state }) => !isOver(state))
    for (let waits = 0; waits < MOST_WAITS && isOpen() && !program.isOver(); waits++) await pause(WAIT_MS)
    if (program.isOver()) return
    showAll()
    await opened.close()
    if (program.timers() > 0) run.violate('I4', `${program.timers()} timers are left after close`)
    program.end()
    isDone = true
  }

  async function open(program: Program, failpoint: (place: string) => void): Promise<Payments> {
    for (;;) {
      try {
        const file = await openFileJournal({ path: JOURNAL, failpoint, disk: disk.of(program) })
        const store = habits.journal?.(file) ?? file
        const journal = mutation.journal?.(store, program, run) ?? store
        const wrap = (sent: Transport): Transport => mutation.transport?.(sent, program, run) ?? sent
        const client = parameters.clientOf(program, wrap)
        const signer = parameters.signer?.() ?? account.wallet
        const wallet = mutation.signer?.(signer, program, run) ?? signer
        const { pollMs } = parameters
        const acceptDamage = parameters.acceptDamage?.() ?? false
        const given = { client, journal, wallet, verify, failpoint, pollMs, acceptDamage }
        return await createPayments({ ...given, minOverwritten: 5 })
      } catch (error) {
        if (program.isOver() || error instanceof Killed) return new Promise(() => undefined)
        if (!isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
        run.note(program.name, `journal: ${error.facts.reason}`)
        await program.clock.sleep(5_000)
      }
    }
  }

  return {
    start: live,
    isDone: () => isDone,
    open: () => orders.filter(({ memo }) => !settled.has(memo)).map(({ memo }) => memo),
    startAgain: (why, change) => {
      const ended = current
      ended?.kill(why)
      change()
      settled.clear()
      isDone = false
      current = null
      time.after(chance.ms(100, 20_000), () => {
        if (current === null) live()
      })
    },
  }
}

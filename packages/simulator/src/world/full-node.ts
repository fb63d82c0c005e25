import { type Hash, type Transaction, transactionHash } from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import type { ApiAnswer } from './answer.ts'
import { postedTransaction, refusal, takePosted } from './mempool.ts'
import { createObservation } from './observation.ts'
import type { ChainView, ClosedBlock, SimulatedChain } from './simulated-chain.ts'

/** Sentences with which a pool refuses for now, as the local network words them. */
const FOR_NOW = [
  'The pool is full with 8192 transactions. Send it again after the next macroblock.',
  'The sender has 2048 waiting transactions, the most one sender may have. Send it again after the next macroblock.',
  'The sender has 64 or more waiting transactions and its balance does not cover this one. Send it again when it does.',
] as const
/** Sentences that sound as if they were for ever. */
const FOR_EVER = ['FROM field in locklist', 'Signature verification failed'] as const

const isForNow = (message: string): boolean => FOR_NOW.some((one) => one === message)

/** A node of a network, with a tip and a pool of its own. */
export type FullNode = {
  readonly view: () => ChainView
  readonly post: (body: string) => ApiAnswer
  /** Puts a transaction into its pool, as other nodes and strangers do. */
  readonly take: (transaction: Transaction) => void
  /** Fails in one of its ways, for a while. */
  readonly disturb: () => void
  /** Refuses every transaction, in words that sound as if it were for now or for ever. */
  readonly refuseAll: (ms: number, how: 'for now' | 'for ever') => void
  /** Its view of the chain stands still. */
  readonly freeze: (ms: number) => void
  readonly calm: () => void
}

export type FullNodeParameters = {
  readonly run: Run
  readonly chain: SimulatedChain
  readonly name: string
  /** Probability per macroblock that it passes on a transaction of its pool, and that others' reach it. */
  readonly passesOn: number
  /** Probability that it restarts soon after it took a transaction, and refuses then. */
  readonly restarts: number
  /** Called with each transaction that enters its pool from outside. */
  readonly onTaken: (transaction: Transaction) => void
  /** Called with each transaction that it refuses. */
  readonly onRefused: (transaction: Transaction, isForNow: boolean) => void
}

/** A node whose pool is its own: the chain's pool is what the miners have. */
export function createFullNode(parameters: FullNodeParameters & { readonly onChange: OnChange }): FullNode {
  const { run, chain, name, restarts, onTaken, onRefused } = parameters
  const { chance, time } = run
  const observation = createObservation(run, chain)
  const pool = new Map<Hash, Transaction>()
  let passesOn = parameters.passesOn
  let seen: readonly ClosedBlock[] = []
  let message: string | null = null
  /** True while it refuses everything, in one sentence. */
  let refusesAll = false
  let isCalm = false

  /** What is in a block that arrived leaves the pool, and may come in again. */
  function sync(): ChainView {
    const view = observation.view()
    for (let at = view.blocks.length - 1; at >= 0 && view.blocks[at] !== seen[at]; at--) {
      for (const hash of view.blocks[at]?.transactions.keys() ?? []) pool.delete(hash)
    }
    seen = view.blocks
    return { ...view, pool: new Map(pool) }
  }

  function pass(): void {
    for (const [hash, one] of pool) if (chance.is(passesOn)) chain.pool.set(hash, one)
  }

  parameters.onChange(() => {
    sync()
    pass()
    for (const [hash, one] of chain.pool) if (chance.is(passesOn)) pool.set(hash, one)
  })

  function restart(): void {
    if (isCalm) return
    run.fault(name, `restarts, ${pool.size} lost`)
    pool.clear()
    if (chance.is(0.7)) refuseForAWhile(chance.pick([...FOR_NOW, ...FOR_NOW, ...FOR_EVER]))
  }

  function refuseForAWhile(given: string, ms = chance.ms(2_000, 120_000)): void {
    if (refusesAll) return
    run.fault(name, `refuses: ${given}`)
    message = given
    time.after(ms, () => {
      if (message === given && !refusesAll) message = null
    })
  }

  return {
    view: sync,
    post: (body) => {
      sync()
      const transaction = postedTransaction(body)
      const isThere = transaction !== null && pool.has(transactionHash(transaction))
      if (message !== null && !isThere) {
        run.fault(name, 'refuses a transaction')
        if (transaction !== null) onRefused(transaction, isForNow(message))
        return refusal(message)
      }
      const answer = takePosted(run, pool, body)
      if (transaction === null || isThere) return answer
      onTaken(transaction)
      if (chance.is(passesOn)) time.after(chance.ms(0, 3_000), pass)
      if (!isCalm && chance.is(restarts)) time.after(chance.ms(0, 4_000), restart)
      return answer
    },
    take: (transaction) => {
      sync()
      pool.set(transactionHash(transaction), transaction)
    },
    disturb: () => {
      const kind = chance.pick(['late', 'left behind', 'restart', 'full'] as const)
      if (kind === 'late') observation.lag = chance.whole(0, 4)
      if (kind === 'left behind') observation.stayBehind(chance.ms(5_000, 90_000))
      if (kind === 'restart') restart()
      else if (kind === 'full') refuseForAWhile(chance.pick(FOR_NOW))
      else run.fault(name, kind)
    },
    refuseAll: (ms, how) => {
      message = how === 'for now' ? FOR_NOW[0] : FOR_EVER[0]
      refusesAll = true
      run.fault(name, `refuses all: ${message}`)
      time.after(ms, () => {
        message = null
        refusesAll = false
      })
    },
    freeze: (ms) => observation.stayBehind(ms),
    calm: () => {
      isCalm = true
      passesOn = 1
      message = null
      observation.catchUp()
      sync()
      pass()
    },
  }
}

type OnChange = (callback: () => void) => void

import type { Address } from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import { smallPayment } from './accounts.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** Fault rates of block production. */
export type ProducerFaultRates = {
  /** Probability of a fork after a macroblock. */
  readonly fork: number
  /** Probability that a pending transaction is included in a macroblock. */
  readonly taken: number
  /** Probability that the pool loses a transaction per macroblock. */
  readonly forgets: number
  /** Maximum depth of a fork in macroblocks. @default 2 */
  readonly depth?: number | undefined
}

export const STEADY: ProducerFaultRates = { fork: 0, taken: 1, forgets: 0 }

export type Producer = {
  faultRates: ProducerFaultRates
  readonly stop: () => void
  /** Called after every change of the chain. */
  readonly onChange: (callback: () => void) => void
}

/** Publishers and their agents for microblocks of other miners. */
export type Publishers = () => readonly { readonly publisher: Address; readonly agent: Address | null }[]

const BLOCK_MS = 15_000

/** Closes macroblocks until stopped, every fifteen seconds on average. */
export function startProducer(run: Run, chain: SimulatedChain, publishers: Publishers = () => []): Producer {
  const { chance, time } = run
  const listeners: (() => void)[] = []
  let payments = 0
  let isStopped = false
  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  function mine(): void {
    chain.takeFromPool(() => chance.is(producer.faultRates.taken))
    for (const { publisher, agent } of publishers())
      chain.publish([smallPayment(payments++)], publisher, agent)
    const { keyBlock, microblocks } = chain.close()
    run.note('chain', `closed ${keyBlock.height} ${keyBlock.hash.slice(0, 8)} with ${microblocks.length}`)
  }

  function forget(): void {
    for (const hash of [...chain.pool.keys()]) {
      if (!chance.is(producer.faultRates.forgets)) continue
      chain.pool.delete(hash)
      run.fault('chain', `forgot ${hash.slice(0, 8)}`)
    }
  }

  function fork(): void {
    const kept = chance.pick([0, 0.7, 1])
    const depth = chain.reorganise(chance.whole(1, producer.faultRates.depth ?? 2), () => chance.is(kept))
    if (depth === 0) return
    run.fault('chain', `${depth} taken back to ${chain.height}, ${kept} kept`)
    const grown = chance.whole(0, depth + 1)
    for (let block = 0; block < grown; block++) mine()
  }

  function turn(): void {
    if (isStopped) return
    mine()
    forget()
    if (chance.is(producer.faultRates.fork)) fork()
    changed()
    time.after(BLOCK_MS * chance.pick([0.3, 0.7, 1, 1, 1, 1.3, 2]), turn)
  }

  const producer: Producer = {
    faultRates: STEADY,
    stop: () => {
      isStopped = true
    },
    onChange: (callback) => void listeners.push(callback),
  }
  for (let block = 0; block < 5; block++) mine()
  time.after(BLOCK_MS * chance.next(), turn)
  return producer
}

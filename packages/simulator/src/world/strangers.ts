import { type Hash, type Transaction, transactionHash } from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import { gift, payer } from './accounts.ts'
import type { FullNode } from './full-node.ts'
import type { Producer } from './producer.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** What strangers do, per macroblock. They never stop. */
export type StrangerRates = {
  /** Probability that an executed transaction of the payer is posted again. */
  readonly repeats: number
  /** Probability that one is posted again that a pool has, or had. */
  readonly recalls: number
  /** Probability that they reach every node with it. */
  readonly reach: number
  /** Probability that the payer receives a few small transfers. */
  readonly dust: number
  /** Probability that it receives more of them than anybody likes to read. */
  readonly floods: number
}

const PAGES_OF_ALL_SEARCHES = 10

/** People who can read the chain and the pools, and may post whatever they find there. */
export function startStrangers(parameters: {
  readonly run: Run
  readonly chain: SimulatedChain
  readonly producer: Producer
  readonly nodes: readonly [FullNode, ...FullNode[]]
  readonly rates: StrangerRates
}): { readonly sees: (transaction: Transaction) => void } {
  const { run, chain, producer, nodes, rates } = parameters
  const { chance } = run
  const known = new Map<Hash, Transaction>()
  let gifts = 0

  function post(hash: Hash, transaction: Transaction): void {
    run.note('stranger', `posts ${hash.slice(0, 8)} again`)
    const those = chance.is(rates.reach) ? nodes : [chance.pick(nodes)]
    for (const node of those) node.take(transaction)
    chain.pool.set(hash, transaction)
  }

  function give(count: number): void {
    run.note('stranger', `gives ${count} times`)
    chain.publish(Array.from({ length: count }, () => giftOf(gifts++)))
  }

  const giftOf = (number: number): Transaction => ({
    ...gift(number, payer.address),
    tokenId: chain.origin.genesis.parameters.ledger.nativeTokenId,
  })

  producer.onChange(() => {
    for (const block of chain.blocks.slice(-8)) {
      for (const [hash, one] of block.transactions) if (one.from === payer.address) known.set(hash, one)
    }
    const { isCalculated } = chain.ledger()
    for (const [hash, transaction] of known) {
      const rate = isCalculated(hash) ? rates.repeats : rates.recalls
      if (!chain.pool.has(hash) && chance.is(rate)) post(hash, transaction)
    }
    if (chance.is(rates.dust)) give(chance.whole(1, 4))
    if (chance.is(rates.floods)) give(chance.whole(10, 11) * PAGES_OF_ALL_SEARCHES + 1)
  })

  return { sees: (transaction) => void known.set(transactionHash(transaction), transaction) }
}

import type { DevelopmentAccount, Genesis, Refusal } from '@hailstone/ledger'
import { assertArgument, type ContractOrder, type Hash } from '@hailstone/protocol'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { CalculatedMacroblock } from '../chain/calculated-macroblock.ts'
import type { Mempool } from '../chain/mempool.ts'
import { systemRandomness } from '../system-randomness.ts'
import { type OrderTerms, signOrder } from './sign-order.ts'

/** Result of an order. A rejected one is on the chain too, and cost nothing. */
export type OrderOutcome = {
  readonly hash: Hash
  readonly status: 'confirmed' | 'rejected'
  /** Reason of the rejection, which the network itself does not report, or null. */
  readonly refusal: Refusal | null
  /** Of the macroblock that holds it. */
  readonly height: number
}

/** Options of `network.sendOrder`. */
export type SendOrderOptions = {
  /** Account that signs and pays. */
  readonly from: Pick<DevelopmentAccount, 'address' | 'privateKey'>
  /** Ends the waiting; the order may still be carried out. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Signs an order, puts it into the pool, and waits for the macroblock that calculates it.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export type SendOrder = (order: ContractOrder, options: SendOrderOptions) => Promise<OrderOutcome>

function outcomeIn({ macroblock, closed }: CalculatedMacroblock, hash: Hash): OrderOutcome | null {
  const found = closed.report.transactions.find((one) => one.hash === hash && one.status !== 'duplicate')
  return found === undefined
    ? null
    : {
        hash,
        status: found.status as OrderOutcome['status'],
        refusal: found.refusal,
        height: macroblock.keyBlock.height,
      }
}

function calculated(
  producer: Pick<BlockProducer, 'on'>,
  hash: Hash,
  signal?: AbortSignal,
): Promise<OrderOutcome> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop()
      reject(signal?.reason as Error)
    }
    const stop = producer.on('macroblockClosed', (macroblock) => {
      const outcome = outcomeIn(macroblock, hash)
      if (outcome === null) return
      stop()
      signal?.removeEventListener('abort', abort)
      resolve(outcome)
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}

const termsOf = ({ parameters: { ledger }, tokens }: Pick<Genesis, 'parameters' | 'tokens'>): OrderTerms => ({
  nativeToken: tokens.native,
  genesis: ledger.genesis,
  prices: { ...ledger.contractPrices },
})

const kinds: SettingKinds<SendOrderOptions> = { from: true, signal: 'signal' }

export function createOrders(parts: {
  readonly genesis: Pick<Genesis, 'parameters' | 'tokens'>
  readonly mempool: Pick<Mempool, 'add'>
  readonly producer: Pick<BlockProducer, 'on'>
}): SendOrder {
  const terms = termsOf(parts.genesis)
  return async (order, options) => {
    assertKinds('of sendOrder', options, kinds)
    const { from, signal } = Object(options) as SendOrderOptions
    assertArgument(typeof order?.type === 'string', 'order', "an order, such as { type: 'delegate' }", order)
    assertArgument(from?.privateKey, 'from', 'an account with its private key', from)
    signal?.throwIfAborted()
    const { transaction, hash } = signOrder({ from, order, terms, random: systemRandomness })
    const outcome = calculated(parts.producer, hash, signal)
    parts.mempool.add(transaction, hash)
    return outcome
  }
}

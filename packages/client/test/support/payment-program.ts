import {
  flippedSignature,
  isNodeError,
  readTransactionBody,
  type Transaction,
  toAmount,
  transactionHash,
} from '@hailstone/protocol'
import { networkAt } from '../../src/network.ts'
import { createClient, walletFromPrivateKey } from '../../src/node.ts'
import { type CreatePaymentsParameters, createPayments } from '../../src/payments/create-payments.ts'
import { createMemoryJournal } from '../../src/payments/memory-journal.ts'
import type { PayParameters } from '../../src/payments/order.ts'
import type { PaymentEvent, PaymentHandle } from '../../src/payments/payment-info.ts'
import { ModelNetwork } from './model-network.ts'
import { virtualClock } from './virtual-clock.ts'

export const wallet = walletFromPrivateKey('5'.padStart(64, '0'))
/** A signer whose orders are other bytes each time. */
export const withoutNonces = { address: wallet.address, signTransaction: wallet.signTransaction }
export const receiver = walletFromPrivateKey('6'.padStart(64, '0')).address
export const amount = toAmount(1_000_000n)
export const BLOCK_MS = 15_000

type Given = Partial<Omit<CreatePaymentsParameters, 'client'>>
export type ModelTransport = ReturnType<ModelNetwork['transport']>

/** A program that pays; each has a clock of its own and mines the network itself. */
export async function program(
  network: ModelNetwork,
  given: Given & { readonly through?: ModelTransport; readonly originHash?: string } = {},
) {
  const { through = network.transport(), originHash, ...others } = given
  const clock = virtualClock()
  if (network.height === 0) network.mine()
  clock.every(BLOCK_MS, () => network.mine())
  const client = createClient({
    apiUrl: 'http://127.0.0.1:1',
    ...(originHash === undefined ? {} : { network: { ...networkAt('http://127.0.0.1:1'), originHash } }),
    transport: through,
    clock,
    retry: { maxAttempts: 1 },
  })
  const lines: string[] = []
  const payments = await createPayments({ client, wallet, journal: createMemoryJournal(lines), ...others })
  const events: PaymentEvent[] = []
  payments.subscribe((event) => events.push(event))
  const until = (is: () => boolean, blocks = 60) => clock.runUntil(is, blocks * BLOCK_MS)
  const within = async <T>(promise: Promise<T>, blocks = 60): Promise<T> => {
    let isDone = false
    const done = promise.finally(() => {
      isDone = true
    })
    done.catch(() => undefined)
    await until(() => isDone, blocks)
    return done
  }
  const pay = (order: Partial<PayParameters> = {}) => within(payments.pay({ to: receiver, amount, ...order }))
  const settled = async (payment: PaymentHandle) => (await within(payment.settled())).state
  const blocks = async (count: number) => {
    const height = network.height + count
    await until(() => network.height >= height, count + 1)
  }
  return { clock, client, payments, events, lines, pay, settled, within, until, blocks }
}

export const order = (n: number) => ({ memo: `order ${n}`, idempotencyKey: `order ${n}` })

export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error) => (isNodeError(error) ? error.code : error),
  )

/** Another node of the same chain: it has the macroblocks up to a height of its own, and an empty pool. */
export function follower(network: ModelNetwork) {
  const node = new ModelNetwork()
  const waiting: (readonly [string, Transaction])[][] = []
  const mine = network.mine.bind(network)
  network.mine = () => {
    waiting.push([...network.pool])
    mine()
  }
  const follow = (height: number): void => {
    while (node.height < Math.min(height, waiting.length)) {
      for (const [hash, transaction] of waiting[node.height] ?? []) node.pool.set(hash, transaction)
      node.mine()
    }
  }
  return { node, follow }
}

/** One address of two nodes: `isOfNode` chooses which of them answers a GET. */
export function twoNodes(
  network: ModelNetwork,
  node: ModelNetwork,
  isOfNode: (path: string, query: string) => boolean,
): ModelTransport {
  const [one, other] = [network.transport(), node.transport()]
  return {
    ...one,
    request: (asked) => {
      const { method, path, query = '' } = asked
      return (method !== 'POST' && isOfNode(path, query) ? other : one).request(asked)
    },
  }
}

/** The copy with a high S of a transaction that was posted. */
export function copyOf(network: ModelNetwork, at = 0) {
  const transaction = readTransactionBody(network.posted[at] ?? '')
  if (transaction === null) throw new Error('nothing was posted')
  const copy = { ...transaction, signature: flippedSignature(transaction.signature) }
  return { hash: transactionHash(copy), copy }
}

/**
 * One address of two nodes that answer in turn for the history, of which one lacks the newest records. Other records stand
 * between those of the history, so that numbers do not tell whether two pages join.
 */
export function twoHistories(network: ModelNetwork, lacking: number): ModelTransport {
  const inner = network.transport()
  let answers = 0
  const recordsOf = async (asked: Parameters<typeof inner.request>[0], page: number) => {
    const query = new URLSearchParams(asked.query)
    query.set('page', String(page))
    const { text } = await inner.request({ ...asked, query: query.toString() })
    return JSON.parse(text) as { readonly records: readonly { readonly i: number }[] }
  }
  return {
    ...inner,
    request: async (asked) => {
      if (asked.path !== '/account_transactions') return inner.request(asked)
      const from = answers++ % 2 === 0 ? 0 : lacking
      const page = Number(new URLSearchParams(asked.query).get('page'))
      const [shown, next] = [await recordsOf(asked, page), await recordsOf(asked, page + 1)]
      const records = [...shown.records, ...next.records].slice(from, from + 10)
      const spaced = records.map((record) => ({ ...record, i: 2 * record.i }))
      return {
        status: 200,
        contentType: 'application/json',
        text: JSON.stringify({ ...shown, records: spaced }),
      }
    },
  }
}

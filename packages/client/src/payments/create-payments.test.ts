import {
  flippedSignature,
  isNodeError,
  parseAddress,
  paymentError,
  readTransactionBody,
  type Transaction,
  type TransactionFields,
  toAmount,
  transactionHash,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { ModelNetwork } from '../../test/support/model-network.ts'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { createClient, walletFromPrivateKey } from '../node.ts'
import { type CreatePaymentsParameters, createPayments } from './create-payments.ts'
import { sealLine } from './journal-line.ts'
import type { JournalStore } from './journal-store.ts'
import { createMemoryJournal } from './memory-journal.ts'
import type { PayParameters } from './order.ts'
import type { PaymentEvent, PaymentHandle } from './payment-info.ts'
import type { PaymentSummary } from './payment-summary.ts'

const wallet = walletFromPrivateKey('3'.padStart(64, '0'))
/** A signer of one's own, whose payments have random nonces. */
const withoutNonces = { address: wallet.address, signTransaction: wallet.signTransaction }
const to = parseAddress(`03${'ab'.repeat(32)}`)
const amount = toAmount(1_000_000n)
const BLOCK_MS = 15_000

type Given = Partial<Omit<CreatePaymentsParameters, 'client'>>

async function world(given: Given = {}, network = new ModelNetwork()) {
  const clock = virtualClock()
  if (network.height === 0) network.mine()
  clock.every(BLOCK_MS, () => network.mine())
  const transport = network.transport()
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport, clock, retry: { maxAttempts: 1 } })
  const lines: string[] = []
  const journal = createMemoryJournal(lines)
  const payments = await createPayments({ client, wallet, journal, ...given })
  const events: PaymentEvent[] = []
  payments.subscribe((event) => events.push(event))
  const pay = (order: Partial<PayParameters> = {}) => within(clock, payments.pay({ to, amount, ...order }))
  const settled = async (payment: PaymentHandle) => (await within(clock, payment.settled())).state
  const statuses = () =>
    events.flatMap((event) => (event.type === 'changed' ? [event.payment.state.status] : []))
  return { network, clock, client, payments, events, lines, transport, pay, settled, statuses }
}

/** Lets virtual time pass until a promise is settled. */
async function within<T>(clock: ReturnType<typeof virtualClock>, promise: Promise<T>): Promise<T> {
  let isDone = false
  const done = promise.finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  await clock.runUntil(() => isDone, 60 * BLOCK_MS)
  return done
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error) => (isNodeError(error) ? error.code : error),
  )

describe('pay', () => {
  it('stores, sends and confirms, and tells each step', async () => {
    const { pay, settled, statuses, network, payments } = await world()
    const payment = await pay({ memo: 'rent' })
    expect(payment.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true, place: { height: 1 } })
    const passed = ['prepared', 'stored', 'sent', 'inPool', 'confirmed', 'confirmed']
    expect(statuses()).toStrictEqual(passed)
    expect(network.executed()).toStrictEqual(new Map([['rent', 1]]))
    const [info] = payments.list()
    expect(info).toMatchObject({ from: wallet.address, to, amount, memo: 'rent', fee: 100n, nativeFee: 0n })
    expect(info?.checkedAtMs).toBeGreaterThan(info?.createdAtMs ?? 0)
  })

  it('has the bytes in the journal before the first one leaves', async () => {
    const seen: unknown[] = []
    const network = new ModelNetwork()
    const { pay, lines, transport } = await world({}, network)
    const original = network.posted.push.bind(network.posted)
    network.posted.push = (...bodies) => {
      seen.push(...bodies.map((body) => lines.some((line) => line.includes(JSON.stringify(body)))))
      return original(...bodies)
    }
    await pay()
    expect(transport.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(seen).toStrictEqual([true])
  })

  it('keeps no key in the journal', async () => {
    const { pay, lines } = await world()
    await pay()
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.filter((line) => line.includes(wallet.exportPrivateKey()))).toStrictEqual([])
  })

  it('pays one key once, also when it is asked twice at the same time', async () => {
    const { pay, payments, network, settled } = await world()
    const order = { memo: 'order 17', idempotencyKey: 'order 17' }
    const [first, second] = await Promise.all([pay(order), pay(order)])
    expect(second.id).toBe(first.id)
    await settled(first)
    const third = await pay(order)
    expect(third.hash).toBe(first.hash)
    expect(third.state.status).toBe('confirmed')
    expect(payments.list()).toHaveLength(1)
    expect(network.executed().get('order 17')).toBe(1)
  })

  it('refuses a key that names another payment', async () => {
    const { pay } = await world()
    await pay({ idempotencyKey: 'k' })
    expect(await codeOf(pay({ idempotencyKey: 'k', amount: toAmount(1_000_001n) }))).toBe('PAYMENT_CONFLICT')
    expect(await codeOf(pay({ idempotencyKey: 'k', memo: 'other' }))).toBe('PAYMENT_CONFLICT')
    const both = await Promise.all([
      codeOf(pay({ idempotencyKey: 'l' })),
      codeOf(pay({ idempotencyKey: 'l', memo: 'other' })),
    ])
    expect(both).toStrictEqual(['no error', 'PAYMENT_CONFLICT'])
  })

  it('makes two payments of two calls without a key', async () => {
    const { pay, network, settled } = await world()
    const [first, second] = [await pay({ memo: 'same' }), await pay({ memo: 'same' })]
    expect(second.hash).not.toBe(first.hash)
    await Promise.all([settled(first), settled(second)])
    expect(network.executed().get('same')).toBe(2)
  })

  it('does not pay what the balance cannot bear, with what is under way', async () => {
    const { pay, network } = await world()
    const half = toAmount(600_000_000_000n)
    await pay({ amount: half })
    await expect(pay({ amount: half })).rejects.toThrow(
      /under way or reserved: that takes 60 \w+, and \d+ \w+ would be left/,
    )
    const all = pay({ amount: toAmount(10n ** 13n) })
    await expect(all).rejects.toThrow(/the balance is too low: [\d.]+ \w+ of 1000 \w+/)
    expect(await codeOf(all)).toBe('PAYMENT_HOPELESS')
    expect(network.posted).toHaveLength(1)
  })

  it('B1: takes units as bigint alone, within range', async () => {
    const { pay, network } = await world()
    for (const wrong of [0n, -1n, 2n ** 64n, 5, '5', 1e21, null]) {
      expect(await codeOf(pay({ amount: wrong as PayParameters['amount'] }))).not.toBe('no error')
    }
    expect(network.posted).toStrictEqual([])
  })
})

describe('a fork that changes the order of what was paid', () => {
  it('does not hide a copy that was executed: it is not paid once more', async () => {
    const { network, pay, settled, clock } = await world()
    const first = await pay({ memo: 'first' })
    await clock.runUntil(() => first.state.status === 'confirmed', 10 * BLOCK_MS)
    network.postFault = 'sends a malleated copy'
    const second = await pay({ memo: 'second' })
    network.mine()
    await clock.runUntil(() => second.state.status === 'superseded', 10 * BLOCK_MS)
    network.reorganise(2, { keepTransactions: true })
    const [[hash, transaction] = []] = [...network.pool].filter(([, { data }]) => data === 'first')
    if (hash === undefined || transaction === undefined) throw new Error('the fork was not deep enough')
    network.pool.delete(hash)
    network.mine()
    network.pool.set(hash, transaction)
    network.mine()
    expect(await settled(second)).toMatchObject({ status: 'superseded' })
    expect(network.executed()).toStrictEqual(
      new Map([
        ['second', 1],
        ['first', 1],
      ]),
    )
  })
})

describe('H2: a fee', () => {
  const withFee = (fee: string) => {
    const network = new ModelNetwork()
    network.lies = new Map([['/token_info', () => `[${tokenWith(fee)}]`]])
    return world({}, network)
  }
  const tokenWith = (fee: string) =>
    `{"hash":"${'0'.repeat(64)}","owner":"02${'11'.repeat(32)}","ticker":"ENQ","caption":null,"fee_type":0,"fee_value":${fee},"fee_min":0,"decimals":10,"total_supply":1,"active":0,"reissuable":0,"minable":0,"max_supply":null,"block_reward":null,"min_stake":null,"referrer_stake":null,"ref_share":null,"txs_count":0}`

  it.each([
    ['absurd', '999999999999', 'FEE_ABOVE_CAP'],
    ['above one percent and a tenth of a coin', '1000000001', 'FEE_ABOVE_CAP'],
    ['negative', '-1', 'RESPONSE_INVALID'],
    ['fractional', '1.5', 'RESPONSE_INVALID'],
    ['beyond 64 bits', '18446744073709551616', 'RESPONSE_INVALID'],
  ])('that is %s is not signed for', async (_, fee, code) => {
    const { pay, payments, network } = await withFee(fee)
    expect(await codeOf(pay())).toBe(code)
    expect(payments.list()).toStrictEqual([])
    expect(network.posted).toStrictEqual([])
  })

  it('of a coin is for a person to accept by default, and of more is not even asked for', async () => {
    const amount = toAmount(20_000_000_000n)
    const fees: bigint[] = []
    const consent = ({ fee }: PaymentSummary) => fees.push(fee) > 0
    expect(await codeOf((await withFee('10000000000')).pay({ amount, consent }))).toBe('no error')
    expect(await codeOf((await withFee('10000000001')).pay({ amount, consent }))).toBe('FEE_ABOVE_CAP')
    expect(await codeOf((await withFee('10000000000')).pay({ amount }))).toBe('FEE_ABOVE_CAP')
    expect(fees).toStrictEqual([10_000_000_000n])
  })

  it('at the cap is, and a higher or lower cap can be given for one payment', async () => {
    const amount = toAmount(5_000_000_000n)
    expect(await codeOf((await withFee('1000000000')).pay({ amount }))).toBe('no error')
    const feeCap = { units: 1_000_000_001n }
    expect(await codeOf((await withFee('1000000001')).pay({ amount, feeCap }))).toBe('no error')
    expect(await codeOf((await withFee('10001')).pay({ feeCap: { units: 0n } }))).toBe('FEE_ABOVE_CAP')
  })
})

describe('S-8: consent', () => {
  it('is asked for what the very bytes say', async () => {
    const { pay, network } = await world()
    let shown: PaymentSummary | undefined
    await pay({
      memo: 'rent 11/26',
      consent: (summary) => {
        shown = summary
        return true
      },
    })
    expect(shown).toMatchObject({ to, amount, memo: 'rent 11/26', fee: 100n, net: 999_900n, symbol: 'ENQ' })
    const [posted = ''] = network.posted
    expect(posted.replace(/"sign":"[0-9a-f]+"/, '"sign":""')).toBe(shown?.bytes)
  })

  it('that is not given stops the payment before it is stored', async () => {
    const { pay, payments, network } = await world()
    expect(await codeOf(pay({ consent: () => false }))).toBe('PAYMENT_DECLINED')
    expect(await codeOf(pay({ consent: () => 'yes' as unknown as boolean }))).toBe('PAYMENT_DECLINED')
    const thrown = pay({
      consent: async () => {
        throw 'changed my mind'
      },
    })
    expect(await codeOf(thrown)).toBe('changed my mind')
    expect([payments.list(), network.posted]).toStrictEqual([[], []])
  })

  it('is void when the summary is changed: the bytes stay what they were', async () => {
    const { pay, network } = await world()
    await pay({
      consent: (summary) => {
        expect(() => Object.assign(summary, { amount: 1n })).toThrow(TypeError)
        return true
      },
    })
    expect(readTransactionBody(network.posted[0] ?? '')).toMatchObject({ to, amount })
  })

  it('is void when the fee has changed meanwhile', async () => {
    const { pay, network, payments } = await world()
    const changed = pay({
      consent: () => {
        network.fee = 101n
        return true
      },
    })
    expect(await codeOf(changed)).toBe('PAYMENT_ALTERED')
    expect([payments.list(), network.posted]).toStrictEqual([[], []])
  })

  const other = walletFromPrivateKey('9'.padStart(64, '0'))
  const changing = (change: (transaction: Transaction) => Transaction) => ({
    address: wallet.address,
    signTransaction: (fields: TransactionFields) => change(wallet.signTransaction(fields)),
  })
  it.each([
    ['another amount', changing((signed) => ({ ...signed, amount: toAmount(2_000_000n) }))],
    ['another receiver', changing((signed) => ({ ...signed, to: other.address }))],
    ['a text after the memo', changing((signed) => ({ ...signed, data: 'x' }))],
    [
      'another nonce, properly signed',
      changing(({ signature: _, ...f }) => wallet.signTransaction({ ...f, nonce: 1 })),
    ],
    [
      'a malformed signature',
      changing((signed) => ({ ...signed, signature: '30' as Transaction['signature'] })),
    ],
    [
      'the signature of something else',
      changing((signed) => ({
        ...signed,
        signature: wallet.signTransaction({ ...signed, amount: toAmount(5n) }).signature,
      })),
    ],
  ])('is void when the wallet comes back with %s', async (_, signer) => {
    const { pay, payments, network } = await world()
    expect(await codeOf(pay({ wallet: signer }))).toBe('PAYMENT_ALTERED')
    expect(payments.list().map(({ state }) => state.status)).toStrictEqual(['withdrawn'])
    expect(network.posted).toStrictEqual([])
  })

  it('is not spoiled by a wallet that changes the fields it was given', async () => {
    const { pay, network } = await world()
    const greedy = {
      address: wallet.address,
      signTransaction: (fields: TransactionFields) => {
        const signed = wallet.signTransaction(fields)
        Object.assign(fields, { amount: 9n })
        return signed
      },
    }
    await pay({ wallet: greedy })
    expect(readTransactionBody(network.posted[0] ?? '')).toMatchObject({ amount })
  })
})

describe('what the network does to a payment', () => {
  it('H5: "already in the pool" is success', async () => {
    const { pay, settled, network } = await world()
    network.postFault = 'answer lost'
    const payment = await pay({ memo: 'once' })
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(network.executed().get('once')).toBe(1)
  })

  it('H4: another hash in the answer raises an alarm, leaves it uncertain, and does not end it', async () => {
    const { pay, settled, network, events, statuses } = await world()
    network.postFault = 'names another hash'
    const payment = await pay()
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(statuses()).toContain('uncertain')
    expect(events.find(({ type }) => type === 'otherHashNamed')).toMatchObject({ received: 'ab'.repeat(32) })
  })

  it('H6: what is forgotten is sent again, the same bytes, until it is in', async () => {
    const { pay, settled, network, statuses, clock } = await world()
    network.postFault = 'forgets it'
    const payment = await pay({ memo: 'forgotten' })
    let flushes = 4
    clock.every(BLOCK_MS / 5, () => {
      if (flushes-- > 0) network.pool.clear()
    })
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(statuses()).toContain('forgotten')
    expect(network.posted.length).toBeGreaterThan(1)
    expect(new Set(network.posted).size).toBe(1)
    expect(network.executed().get('forgotten')).toBe(1)
  })

  it('K9: what was reorganised away is pending again, and sent again', async () => {
    const { pay, settled, network, statuses, clock, payments } = await world()
    const payment = await pay({ memo: 'fork' })
    await clock.runUntil(() => payments.list()[0]?.state.status === 'confirmed', 5 * BLOCK_MS)
    network.reorganise(2)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
    const reported = statuses()
    expect(reported.slice(reported.indexOf('reorganised'))).toStrictEqual([
      'reorganised',
      'inPool',
      'confirmed',
      'confirmed',
    ])
    expect(network.executed().get('fork')).toBe(1)
  })

  it('a node that is behind, or shows its block without it, is not taken for a fork', async () => {
    const { pay, network, statuses, clock, payments } = await world()
    await pay({ memo: 'behind' })
    await clock.runUntil(() => payments.list()[0]?.state.status === 'confirmed', 5 * BLOCK_MS)
    const sent = network.posted.length
    network.lies = new Map([['/tx', () => '']])
    const asked = (payments.list()[0]?.checkedAtMs ?? 0) + BLOCK_MS
    await clock.runUntil(() => clock.now() > asked, 3 * BLOCK_MS)
    expect([network.posted.length, statuses().includes('reorganised')]).toStrictEqual([sent, false])
    network.lies = new Map([
      ['/tx', () => ''],
      ['/height', () => '{"height":1}'],
    ])
    await clock.runUntil(() => clock.now() > asked + BLOCK_MS, 3 * BLOCK_MS)
    expect([network.posted.length, statuses().includes('reorganised')]).toStrictEqual([sent, false])
  })

  it('a rejected payment says so, with the block that rejected it', async () => {
    const { pay, settled, network } = await world()
    network.isPoor = true
    const payment = await pay()
    expect(await settled(payment)).toMatchObject({ status: 'rejected', isFinal: true, place: { height: 1 } })
  })

  it('a refusal is only final when the chain has gone on without it', async () => {
    const { pay, settled, network, clock, payments } = await world()
    clock.every(100, () => {
      network.postFault = 'refuses it'
    })
    network.postFault = 'refuses it'
    const payment = await pay()
    await clock.runUntil(() => payments.list()[0]?.state.status === 'refused', BLOCK_MS)
    expect(payment.state).toMatchObject({ isFinal: false, message: 'Signature verification failed' })
    const heightThen = network.height
    expect(await settled(payment)).toMatchObject({ status: 'refused', isFinal: true })
    expect(network.height - heightThen).toBeGreaterThanOrEqual(3)
    expect(network.posted.length).toBeGreaterThan(1)
    expect(new Set(network.posted).size).toBe(1)
  })

  it('what is refused once is sent again, and confirmed', async () => {
    const { pay, settled, network } = await world()
    network.postFault = 'refuses it'
    const payment = await pay({ memo: 'again' })
    expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
    expect(network.executed().get('again')).toBe(1)
    expect(new Set(network.posted).size).toBe(1)
  })

  it.each(['goes away with it', 'goes away with it unanswered'] as const)(
    'H6: a refusal by one node is never final while another may have taken it: %s',
    async (fault) => {
      const { pay, settled, network, events, statuses, payments, clock } = await world()
      network.postFault = fault
      const payment = await pay({ memo: 'order 17', idempotencyKey: 'order 17' })
      const isRefused = () => 'reason' in payment.state && payment.state.reason.startsWith('refused')
      await clock.runUntil(isRefused, 5 * BLOCK_MS)
      expect(payment.state).toStrictEqual({
        status: 'uncertain',
        reason: 'refused ("FROM field in locklist"), but a node may have taken it before',
      })
      await clock.runUntil(() => network.poolAway.size === 0, 10 * BLOCK_MS)
      expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
      expect(statuses()).not.toContain('refused')
      expect(new Set(network.posted).size).toBe(1)
      expect(network.executed().get('order 17')).toBe(1)
      // What only the journal has to know is no change to anybody else.
      const repeated = statuses().filter((status, at) => status === 'sent' && statuses()[at - 1] === 'sent')
      expect([repeated, events.length]).toStrictEqual([[], statuses().length])
      expect(payments.list()).toHaveLength(1)
    },
  )

  it('H6: what only a node that stays away has taken is sent again, slowly, and stays uncertain', async () => {
    const { pay, network, clock, payments } = await world()
    network.postFault = 'answer lost'
    const payment = await pay({ memo: 'gone' })
    await clock.runUntil(() => network.pool.size === 1, BLOCK_MS)
    network.poolAway.set('of others', [...network.pool.values()][0] as Transaction)
    network.pool.clear()
    network.mine = () => undefined
    const hour = clock.now() + 3_600_000
    await clock.runUntil(() => clock.now() > hour, 4_000_000)
    expect(payment.state).toMatchObject({ status: 'uncertain' })
    expect(new Set(network.posted).size).toBe(1)
    // After twelve looks that found it nowhere, which are up to eight polls apart.
    expect(network.posted.length).toBeGreaterThan(12)
    expect(network.posted.length).toBeLessThan(90)
    await payments.close()
  })

  it('a refusal by a network that keeps it all the same is no failure', async () => {
    const { pay, settled, network } = await world()
    network.postFault = 'refuses it and keeps it'
    const payment = await pay({ memo: 'liar' })
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
  })

  it.each(['sends a malleated copy', 'sends an odd malleated copy'] as const)(
    'a copy with another signature that took its place is named, and nothing is sent beside it: %s',
    async (fault) => {
      const { pay, settled, network, statuses } = await world()
      network.postFault = fault
      const payment = await pay({ memo: 'malleated' })
      const state = await settled(payment)
      expect(state).toMatchObject({ status: 'superseded', isFinal: true, place: { height: 1 } })
      expect(statuses()).toContain('uncertain')
      expect(network.posted).toHaveLength(1)
      expect(network.executed().get('malleated')).toBe(1)
    },
  )

  it('a copy that was executed besides raises an alarm', async () => {
    const { pay, settled, network, events } = await world()
    const payment = await pay({ memo: 'stolen' })
    const transaction = readTransactionBody(network.posted[0] ?? '')
    if (transaction === null) throw new Error('nothing was posted')
    const copy = { ...transaction, signature: flippedSignature(transaction.signature) }
    network.pool.set(transactionHash(copy), copy)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(events.find(({ type }) => type === 'malleatedExecuted')).toMatchObject({
      malleatedHash: transactionHash(copy),
    })
    expect(network.executed().get('stolen')).toBe(2)
  })

  it('a network that is away leaves it uncertain, and is asked until it is back', async () => {
    const { pay, settled, network, statuses, clock } = await world()
    network.postFault = 'request lost'
    const payment = await pay()
    network.isAway = true
    await clock.runUntil(() => statuses().includes('uncertain'), 4 * BLOCK_MS)
    clock.every(2 * BLOCK_MS, () => {
      network.isAway = false
    })
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
  })
})

describe('after a restart', () => {
  async function restarted(lines: string[], network: ModelNetwork, given: Given = {}) {
    return world({ journal: createMemoryJournal(lines), ...given }, network)
  }

  it('resume asks, sends the same bytes, and wants no wallet', async () => {
    const first = await world()
    first.network.postFault = 'request lost'
    const { hash } = await first.pay({ memo: 'resumed' })
    await first.payments.close()
    const second = await restarted(first.lines, first.network, { wallet: undefined })
    const [payment] = await within(second.clock, second.payments.resume())
    if (payment === undefined) throw new Error('nothing to resume')
    expect(payment.hash).toBe(hash)
    expect(await second.settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(new Set(first.network.posted).size).toBe(1)
    expect(first.network.executed().get('resumed')).toBe(1)
    expect(await codeOf(second.pay())).toBe('CONFIGURATION_INVALID')
  })

  it('the same key is the same payment', async () => {
    const first = await world()
    const { id } = await first.pay({ idempotencyKey: 'k' })
    await first.payments.close()
    const second = await restarted(first.lines, first.network)
    const payment = await second.pay({ idempotencyKey: 'k' })
    expect(payment.id).toBe(id)
    expect(await second.settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(second.network.posted).toHaveLength(1)
  })

  it('is found under its key although its memo would be refused today', async () => {
    const first = await world()
    const { id } = await first.pay({ idempotencyKey: 'k', memo: 'order 17' })
    await first.settled((await first.pay({ idempotencyKey: 'k', memo: 'order 17' })) as PaymentHandle)
    await first.payments.close()
    // Versions before the rule took a comma.
    const lines = first.lines.map((line) => {
      const record = JSON.parse(line.slice(9).replaceAll('order 17', 'order, 17'))
      const transaction = record.body === null ? null : readTransactionBody(record.body)
      const hash = transaction === null ? null : transactionHash(transaction)
      return sealLine(JSON.stringify({ ...record, hash }))
    })
    const second = await restarted(lines, first.network)
    const asked = second.transport.requests.length
    expect(await codeOf(second.pay({ memo: 'order, 18' }))).toBe('MEMO_MALFORMED')
    expect(await codeOf(second.pay({ idempotencyKey: 'l', memo: 'order, 18' }))).toBe('MEMO_MALFORMED')
    expect(second.transport.requests).toHaveLength(asked)
    expect((await second.pay({ idempotencyKey: 'k', memo: 'order, 17' })).id).toBe(id)
    expect(await codeOf(second.pay({ idempotencyKey: 'k', memo: 'order, 18' }))).toBe('PAYMENT_CONFLICT')
    expect(second.network.posted).toHaveLength(1)
  })

  it('H6: a refusal is final for the first bytes that leave alone, not for those of an earlier run', async () => {
    const first = await world()
    first.network.postFault = 'goes away with it unanswered'
    const { id } = await first.pay({ memo: 'resumed' })
    await first.clock.runUntil(() => first.network.poolAway.size === 1, BLOCK_MS)
    await first.payments.close()
    expect(first.lines.at(-1)).toContain('"status":"stored"')
    const second = await restarted(first.lines, first.network)
    const [payment] = await within(second.clock, second.payments.resume())
    if (payment === undefined) throw new Error('nothing to resume')
    expect(payment.id).toBe(id)
    expect(await second.settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(second.statuses()).not.toContain('refused')
    expect(first.network.executed().get('resumed')).toBe(1)
  })

  it('H6: a refusal that an older version wrote down is not the last word', async () => {
    const first = await world()
    first.network.postFault = 'refuses it'
    const payment = await first.pay({ memo: 'old' })
    await first.clock.runUntil(() => payment.state.status === 'refused', BLOCK_MS)
    await first.payments.close()
    const old = first.lines.map((line) => sealLine(line.slice(9).replace(',"mayBeTaken":false', '')))
    const second = await restarted(old, first.network)
    const [resumed] = await within(second.clock, second.payments.resume())
    if (resumed === undefined) throw new Error('nothing to resume')
    expect(await second.settled(resumed)).toMatchObject({ status: 'confirmed' })
    // Also the newest record of a journal may be that of an old copy.
    const stranger = new ModelNetwork()
    stranger.postFault = 'refuses it'
    const third = await restarted(first.lines, stranger)
    third.clock.every(100, () => {
      stranger.postFault = 'refuses it'
    })
    const [refused] = await within(third.clock, third.payments.resume())
    await third.clock.runUntil(() => stranger.posted.length > 5, 40 * BLOCK_MS)
    expect(refused?.state).toMatchObject({ status: 'uncertain', reason: expect.stringContaining('refused') })
  })

  it('what is settled is not asked for again', async () => {
    const first = await world()
    await first.settled(await first.pay())
    await first.payments.close()
    const second = await restarted(first.lines, first.network)
    expect(await second.payments.resume()).toStrictEqual([])
    expect(second.transport.requests).toStrictEqual([])
    expect(second.payments.list()[0]?.state).toMatchObject({ status: 'confirmed', isFinal: true })
  })

  it('payments of another chain are not sent', async () => {
    const first = await world()
    first.network.postFault = 'request lost'
    await first.pay()
    await first.payments.close()
    const other = new ModelNetwork()
    other.lies = new Map([['/macroblock_by_height', () => ({ text: otherOrigin })]])
    const second = await restarted(first.lines, other)
    expect(await within(second.clock, second.payments.resume())).toStrictEqual([])
    expect(second.payments.list()).toMatchObject([{ isOfOtherChain: true, state: { status: 'stored' } }])
    const hour = second.clock.now() + 3_600_000
    await second.clock.runUntil(() => second.clock.now() > hour, 4_000_000)
    expect(other.posted).toStrictEqual([])
    // The API serves its chain again.
    other.lies = new Map()
    const [strange] = second.payments.list().map(({ id }) => second.payments.get(id))
    if (strange === undefined) throw new Error('the payment is not in the journal')
    expect(await second.settled(strange)).toMatchObject({ status: 'confirmed' })
  })
  const otherOrigin = `{"kblock":{"hash":"OTHERGENESIS","n":0,"time":1,"publisher":"02${'33'.repeat(32)}","nonce":0,"link":"OTHERGENESIS","sprout":"OTHERGENESIS","m_root":"","reward":null,"target_diff":1},"mblocks":[],"sblocks":[]}`

  const withoutOrigin = () =>
    new Map([
      [
        '/macroblock_by_height',
        (query: URLSearchParams) =>
          query.get('height') === '0' ? { status: 404, text: '{"err":1,"message":"not there"}' } : undefined,
      ],
    ])
  const namedInPlaceOfChain = (lines: readonly string[], name: string) =>
    lines.map((line) => sealLine(line.slice(9).replace(/"chain":"[^"]*"/, `"chain":"${name}"`)))

  it('a chain that does not show its first block is not known by any name: nothing is paid until it does', async () => {
    const { pay, settled, network, lines } = await world()
    network.lies = withoutOrigin()
    await expect(pay({ memo: 'once' })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      facts: { path: '/macroblock_by_height', reason: 'it does not have block 0, which tells chains apart' },
    })
    expect(lines).toStrictEqual([])
    network.lies = new Map()
    expect(await settled(await pay({ memo: 'once' }))).toMatchObject({ status: 'confirmed' })
    expect(network.executed().get('once')).toBe(1)
  })

  it('the first block missing at the start strands no payment: it is asked for again', async () => {
    const first = await world()
    first.network.postFault = 'request lost'
    await first.pay({ memo: 'resumed', idempotencyKey: 'k' })
    await first.payments.close()
    first.network.lies = withoutOrigin()
    const second = await restarted(first.lines, first.network)
    const [payment] = await within(second.clock, second.payments.resume())
    if (payment === undefined) throw new Error('nothing to resume')
    await second.clock.runUntil(
      () => second.clock.now() > payment.info().createdAtMs + BLOCK_MS,
      3 * BLOCK_MS,
    )
    expect(first.network.posted).toHaveLength(1)
    first.network.lies = new Map()
    expect(await second.settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(first.network.executed().get('resumed')).toBe(1)
  })

  it.each(['bit', 'custom'])(
    'a payment that an older version stored under the name %s alone is sent nowhere: every network of addresses has that name',
    async (name) => {
      const first = await world()
      first.network.postFault = 'request lost'
      await first.pay({ memo: 'resumed' })
      await first.payments.close()
      const other = await restarted(namedInPlaceOfChain(first.lines, name), first.network)
      expect(await within(other.clock, other.payments.resume())).toStrictEqual([])
      expect(other.payments.list()).toMatchObject([{ isOfOtherChain: true }])
      expect(first.network.posted).toHaveLength(1)
    },
  )

  it('a key belongs to a chain: an order that was paid on another one is paid here', async () => {
    const elsewhere = await world()
    await elsewhere.settled(await elsewhere.pay({ memo: 'order', idempotencyKey: 'order-1' }))
    await elsewhere.payments.close()
    const lines = namedInPlaceOfChain(elsewhere.lines, 'OTHERGENESIS 02')
    const here = await restarted(lines, (await world()).network)
    const payment = await here.pay({ memo: 'order', idempotencyKey: 'order-1' })
    expect(await here.settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
    expect(here.network.executed().get('order')).toBe(1)
  })

  it('payments of another chain keep nothing from those of this one: neither its tracking nor its balance', async () => {
    const half = toAmount(600_000_000_000n)
    const elsewhere = await world()
    elsewhere.network.postFault = 'request lost'
    await elsewhere.pay({ memo: 'strange', amount: half })
    await elsewhere.payments.close()
    const first = await world()
    first.network.postFault = 'request lost'
    await first.pay({ memo: 'own' })
    await first.payments.close()
    const lines = [...namedInPlaceOfChain(elsewhere.lines, 'OTHERGENESIS 02'), ...first.lines]
    const second = await restarted(lines, first.network)
    expect(second.payments.list().map(({ isOfOtherChain }) => isOfOtherChain)).toStrictEqual([false, false])
    expect(await within(second.clock, second.payments.resume())).toMatchObject([{ hash: expect.any(String) }])
    expect(second.payments.list().map(({ isOfOtherChain }) => isOfOtherChain)).toStrictEqual([true, false])
    const [strange, own] = second.payments.list().map(({ id }) => second.payments.get(id))
    if (own === undefined) throw new Error('the payment is not in the journal')
    expect(await second.settled(own)).toMatchObject({ status: 'confirmed' })
    await second.settled(await second.pay({ memo: 'new', amount: half }))
    expect(strange?.state).toMatchObject({ status: 'stored' })
    expect([...first.network.executed().keys()]).toStrictEqual(['own', 'new'])
  })

  it('T3: a damaged journal is told, and pays nothing until that is accepted', async () => {
    const first = await world()
    await first.settled(await first.pay())
    await first.payments.close()
    first.lines.splice(1, 1, first.lines[1]?.replace('stored', 'stOred') ?? '')
    const second = await restarted(first.lines, first.network)
    expect(second.payments.damagedRecords).toBe(1)
    expect(second.payments.list()).toHaveLength(1)
    expect(await codeOf(second.pay())).toBe('JOURNAL_DAMAGED')
    await second.payments.close()
    const third = await restarted(first.lines, first.network, { acceptDamage: true })
    expect(third.payments.damagedRecords).toBe(0)
    expect(await codeOf(third.pay())).toBe('no error')
    await third.payments.close()
    expect((await restarted(first.lines, first.network)).payments.damagedRecords).toBe(0)
  })

  it('T3: a record that says something else than its bytes is damaged', async () => {
    const first = await world()
    await first.pay()
    await first.payments.close()
    const changed = first.lines.map((line) =>
      sealLine(line.slice(9).replaceAll('\\"amount\\":\\"1000000\\"', '\\"amount\\":\\"2000000\\"')),
    )
    expect(changed).not.toStrictEqual(first.lines)
    const second = await restarted(changed, first.network)
    expect(second.payments.damagedRecords).toBe(changed.length - 1)
    expect(second.payments.list().map(({ state }) => state.status)).toStrictEqual(['prepared'])
  })

  it('U4: a copy of yesterday pays no order again: what it does not know is told first', async () => {
    const first = await world()
    await first.settled(await first.pay({ idempotencyKey: 'order 1', memo: 'order 1' }))
    const yesterday = [...first.lines]
    const lost = await first.pay({ idempotencyKey: 'order 2', memo: 'order 2' })
    await first.settled(lost)
    await first.payments.close()
    const records = yesterday.length
    const restored = await restarted(yesterday, first.network)
    const order = { idempotencyKey: 'order 2', memo: 'order 2', wallet: withoutNonces }
    await expect(restored.pay(order)).rejects.toMatchObject({
      code: 'JOURNAL_BEHIND',
      facts: { transactions: 1, newest: lost.hash },
    })
    expect(yesterday).toHaveLength(records)
    expect(first.network.executed().get('order 2')).toBe(1)
    // What it does know goes on.
    expect((await restored.pay({ idempotencyKey: 'order 1', memo: 'order 1' })).state.status).toBe(
      'confirmed',
    )
    await restored.payments.close()
    // Somebody looked at the history; the new payment is then the newest one, and known.
    const knowing = await restarted(yesterday, first.network, { acceptDamage: true })
    await knowing.settled(await knowing.pay({ idempotencyKey: 'order 3', memo: 'order 3' }))
    await knowing.payments.close()
    const later = await restarted(yesterday, first.network)
    expect(await codeOf(later.pay({ idempotencyKey: 'order 4', memo: 'order 4' }))).toBe('no error')
  })

  it('U4: a key restored without its journal, and a payment that still waits in the pool', async () => {
    const first = await world()
    const lost = await first.pay({ memo: 'waits' })
    await first.clock.runUntil(() => first.network.pool.size === 1, BLOCK_MS)
    await first.payments.close()
    const restored = await restarted([], first.network)
    await expect(restored.pay({ idempotencyKey: 'k', wallet: withoutNonces })).rejects.toMatchObject({
      code: 'JOURNAL_BEHIND',
      facts: { transactions: 1, newest: lost.hash },
    })
  })

  it('U4: a person who is asked reads it, agrees, and is not told again', async () => {
    const first = await world()
    const { hash } = await first.pay()
    await first.payments.close()
    const restored = await restarted([], first.network)
    const reported: PaymentSummary['warnings'][] = []
    const answers = [false, true, true]
    const consent = ({ warnings }: PaymentSummary) => {
      reported.push(warnings)
      return answers.shift() ?? false
    }
    expect(await codeOf(restored.pay({ consent }))).toBe('PAYMENT_DECLINED')
    await restored.pay({ consent })
    await restored.pay({ consent })
    const warning = { kind: 'paidWithoutJournal', transactions: 1, newest: hash }
    expect(reported).toStrictEqual([[warning], [warning], []])
  })

  it('U4: where nobody is asked and no key promises anything, an event tells it before the payment begins', async () => {
    const first = await world()
    const { hash } = await first.pay()
    await first.payments.close()
    const restored = await restarted([], first.network)
    await restored.pay()
    expect(restored.events[0]).toStrictEqual({ type: 'journalBehind', transactions: 1, newest: hash })
  })

  it('U4: a journal written before this was looked at pays as before', async () => {
    const first = await world()
    await first.settled(await first.pay({ idempotencyKey: 'k', memo: 'old' }))
    await first.pay({ memo: 'under way' })
    await first.payments.close()
    // Two marks are stored for it.
    const members = new Set(first.lines.flatMap((line) => Object.keys(JSON.parse(line.slice(9)))))
    expect([...members].sort()).toStrictEqual(
      [
        ...['v', 'id', 'idempotencyKey', 'createdAtMs', 'chain', 'draft', 'body', 'hash'],
        ...['anchor', 'isShared', 'isWhole', 'isCopied', 'mayBeTaken', 'state', 'fee', 'nativeFee'],
      ].sort(),
    )
    const second = await restarted(first.lines, first.network)
    expect(await codeOf(second.pay({ idempotencyKey: 'l', memo: 'new' }))).toBe('no error')
  })

  it.each(['in its place', 'besides'])(
    'U4: a copy with another signature is no lost payment: %s',
    async (how) => {
      const first = await world()
      if (how === 'in its place') first.network.postFault = 'sends a malleated copy'
      const payment = await first.pay({ memo: 'malleated' })
      await first.settled(payment)
      if (how === 'besides') {
        const transaction = readTransactionBody(first.network.posted[0] ?? '')
        if (transaction === null) throw new Error('nothing was posted')
        const copy = { ...transaction, signature: flippedSignature(transaction.signature) }
        first.network.pool.set(transactionHash(copy), copy)
        first.network.mine()
      }
      await first.payments.close()
      const second = await restarted(first.lines, first.network)
      expect(await codeOf(second.pay({ idempotencyKey: 'k' }))).toBe('no error')
    },
  )

  it('T8: a journal of a newer version is refused and left alone', async () => {
    const lines = [sealLine('{"v":2,"id":"x"}')]
    const before = [...lines]
    const { client } = await world()
    let closed = 0
    const close = async () => void closed++
    const journal = { ...createMemoryJournal(lines), close }
    expect(await codeOf(createPayments({ client, wallet, journal }))).toBe('JOURNAL_INVALID')
    expect(lines).toStrictEqual(before)
    // For the newer program to open it.
    expect(closed).toBe(1)
  })

  it('settled payments are dropped beyond the number that is kept, the rest never', async () => {
    const given = { keepSettled: 2, minOverwritten: 3 }
    const first = await world(given)
    for (let n = 0; n < 6; n++) await first.settled(await first.pay({ idempotencyKey: `k${n}` }))
    await first.payments.close()
    const second = await restarted(first.lines, first.network, given)
    const keys = second.payments.list().map(({ idempotencyKey }) => idempotencyKey)
    expect(keys.length).toBeLessThan(6)
    expect(keys.slice(-2)).toStrictEqual(['k4', 'k5'])
  })

  it('what is dropped from the journal is dropped from memory as well, and nothing else', async () => {
    const { pay, settled, payments, lines, network } = await world({ keepSettled: 4, minOverwritten: 2 })
    const refusing = { address: wallet.address, signTransaction: () => Promise.reject(new Error('no')) }
    expect(await codeOf(pay({ wallet: refusing }))).not.toBe('no error')
    const made: PaymentHandle[] = []
    const order = (n: number) => ({ memo: `order ${n}`, idempotencyKey: `order ${n}` })
    for (let n = 0; n < 20; n++) {
      const payment = await pay(order(n))
      made.push(payment)
      await settled(payment)
      await new Promise(setImmediate)
      const stored = new Set(lines.map((line) => (JSON.parse(line.slice(9)) as { id: string }).id))
      const listed = payments.list().map(({ id }) => id)
      expect(listed.filter((id) => !stored.has(id))).toStrictEqual([])
      expect(listed.length).toBeLessThanOrEqual(4)
      expect(stored.size).toBeLessThan(12)
    }
    const [oldest] = made
    if (oldest === undefined) throw new Error('nothing was paid')
    expect(payments.get(oldest.id)).toBeUndefined()
    // Whoever holds a payment can read it all the same.
    expect(oldest.info()).toMatchObject({ memo: 'order 0', state: { status: 'confirmed', isFinal: true } })
    expect([oldest.hash, oldest.state]).toStrictEqual([oldest.info().hash, oldest.info().state])
    expect(await settled(oldest)).toMatchObject({ status: 'confirmed' })
    for (let n = 16; n < 20; n++) expect((await pay(order(n))).hash).toBe(made[n]?.hash)
    expect(network.posted).toHaveLength(20)
  })

  it('a payment that is dropped as soon as it is settled ends as any other, with its alarm', async () => {
    const { pay, settled, payments, network, events } = await world({ keepSettled: 0, minOverwritten: 0 })
    // One record more, so that the last one is the second since the journal was rewritten, and has it rewritten again.
    network.postFault = 'names another hash'
    const payment = await pay({ memo: 'stolen' })
    const transaction = readTransactionBody(network.posted[0] ?? '')
    if (transaction === null) throw new Error('nothing was posted')
    const copy = { ...transaction, signature: flippedSignature(transaction.signature) }
    network.pool.set(transactionHash(copy), copy)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
    await new Promise(setImmediate)
    expect(payments.list()).toStrictEqual([])
    expect(events.filter(({ type }) => type === 'malleatedExecuted')).toHaveLength(1)
    await payments.close()
    expect(payment.state).toMatchObject({ status: 'confirmed', isFinal: true })
  })
})

describe('T1: a journal that cannot be written', () => {
  const failing = (at: number, mayBeStored = false): JournalStore & { readonly lines: string[] } => {
    const lines: string[] = []
    const memory = createMemoryJournal(lines)
    let appends = 0
    return {
      ...memory,
      lines,
      append: async (json) => {
        if (++appends >= at) {
          throw paymentError('JOURNAL_WRITE_FAILED', { reason: 'no space is left', mayBeStored })
        }
        return memory.append(json)
      },
    }
  }
  const counting = () => {
    let signed = 0
    return {
      address: wallet.address,
      signTransaction: (fields: TransactionFields) => {
        signed++
        return wallet.signTransaction(fields)
      },
      signed: () => signed,
    }
  }

  it('refuses the payment before anything is signed', async () => {
    const signer = counting()
    const { pay, network, payments } = await world({ journal: failing(1), wallet: signer })
    expect(await codeOf(pay())).toBe('JOURNAL_WRITE_FAILED')
    expect([signer.signed(), network.posted, payments.list()]).toStrictEqual([0, [], []])
  })

  it('sends nothing when the bytes could not be stored, and says so when that is not sure', async () => {
    const sure = await world({ journal: failing(2) })
    expect(await codeOf(sure.pay())).toBe('JOURNAL_WRITE_FAILED')
    const unsure = await world({ journal: failing(2, true) })
    expect(await codeOf(unsure.pay())).toBe('TRANSACTION_UNCERTAIN')
    expect([...sure.network.posted, ...unsure.network.posted]).toStrictEqual([])
  })

  it('later on does not keep a payment from being settled', async () => {
    const { pay, settled, events } = await world({ journal: failing(3) })
    expect(await settled(await pay())).toMatchObject({ status: 'confirmed' })
    expect(events.map(({ type }) => type)).toContain('journalFailed')
  })
})

describe('closing', () => {
  it('ends what waits, and nothing is taken afterwards', async () => {
    const { pay, payments, transport } = await world()
    const payment = await pay()
    const waiting = codeOf(payment.settled())
    await payments.close()
    await payments.close()
    expect(await waiting).toBe('PAYMENTS_CLOSED')
    expect(await codeOf(payment.settled())).toBe('PAYMENTS_CLOSED')
    await expect(pay()).rejects.toMatchObject({
      code: 'PAYMENTS_CLOSED',
      message:
        'The payments are closed. Nothing was stored or signed; open them again and pay under the same key.',
    })
    expect(await codeOf(payments.resume())).toBe('PAYMENTS_CLOSED')
    const asked = transport.requests.length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(transport.requests.length).toBe(asked)
  })

  it('leaves a waiting caller who cancels with their own reason', async () => {
    const { pay } = await world()
    const payment = await pay()
    expect(await codeOf(payment.settled({ signal: AbortSignal.abort('enough') }))).toBe('enough')
  })

  it('a listener that throws harms nobody', async () => {
    const { pay, payments, settled } = await world()
    payments.subscribe(() => {
      throw new Error('listener')
    })
    expect(await settled(await pay())).toMatchObject({ status: 'confirmed' })
  })
})

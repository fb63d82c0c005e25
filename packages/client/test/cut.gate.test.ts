import { createTextVerifier, type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { toAmount } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import {
  type Client,
  createClient,
  createMemoryJournal,
  createPayments,
  createWallet,
  type PaymentHandle,
  type PaymentStatus,
  type Payments,
  walletFromPrivateKey,
} from '../src/node.ts'
import { type PostFault, postingProxy } from './kill/posting-proxy.mjs'

const amount = toAmount(200_000_000_0n)
const feeCap = { units: 1_000_000_000n }
/** Signatures and nonces are not always of the same length. */
const LONGER_BYTES = 12
/** Requests of each payment that are cut before its answer is. */
const REQUESTS_CUT = 3
const AT_A_TIME = 64
/** Every so many bytes are cut: a prime, so that no field is always met at the same place. */
const EVERY = gateSize('HAILSTONE_CUT_EVERY', { change: 5, night: 1 })

/** Faults still to be applied to the posts with a memo, in order. */
const waitingFaults = new Map<string, PostFault[]>()
const bodies = new Map<string, string>()
let longestRequest = 0
let network: LocalNetwork
let proxy: Awaited<ReturnType<typeof postingProxy>>
let client: Client
let payments: Payments
const { address: to } = createWallet()

beforeAll(async () => {
  network = await startLocalNetwork({
    ...{ blockTimeMs: 3_600_000, seed: 'every byte' },
    gateway: { maxMicroblocks: 100, maxTransactionsPerMicroblock: 50, maxTransactions: 10_000 },
  })
  proxy = await postingProxy(network.apiUrl, (body, raw) => {
    longestRequest = Math.max(longestRequest, raw.length)
    const memo = /"data":"([^"]*)"/.exec(body)?.[1] ?? ''
    bodies.set(memo, body)
    return waitingFaults.get(memo)?.shift() ?? null
  })
  client = createClient({ apiUrl: proxy.apiUrl, timeoutMs: 120_000 })
  const wallet = walletFromPrivateKey(network.accounts.developers[0]?.privateKey ?? '')
  const given = { client, wallet, journal: createMemoryJournal(), feeCap, verify: createTextVerifier() }
  payments = await createPayments({ ...given, pollMs: 30, confirmations: 1 })
})
afterAll(async () => {
  await payments?.close()
  await client?.close()
  await proxy?.[Symbol.asyncDispose]()
  await network?.stop()
})

const pay = (memo: string, faults: PostFault[] = []): Promise<PaymentHandle> => {
  waitingFaults.set(memo, faults)
  return payments.pay({ to, amount, memo })
}

/** Once the network has it. */
function known({ id }: PaymentHandle): Promise<void> {
  const isKnown = (status: PaymentStatus | undefined) => status === 'inPool' || status === 'confirmed'
  return new Promise((resolve) => {
    const end = payments.subscribe((event) => {
      if (event.type !== 'changed' || event.payment.id !== id || !isKnown(event.payment.state.status)) return
      end()
      resolve()
    })
    if (!isKnown(payments.get(id)?.state.status)) return
    end()
    resolve()
  })
}

/** Two macroblocks: one that holds them, one on top. */
async function settled(handles: readonly PaymentHandle[]): Promise<readonly PaymentStatus[]> {
  await Promise.all(handles.map(known))
  await network.control.mine(2)
  const ends = await Promise.all(handles.map((payment) => payment.settled()))
  return ends.map(({ state }) => state.status)
}

/** Returns how often the ledger executed each memo. */
async function executed(): Promise<ReadonlyMap<string, number>> {
  await using direct = createClient({ apiUrl: network.apiUrl })
  const times = new Map<string, number>()
  for await (const { data, status } of direct.transactionsOf({ address: to })) {
    if (status === 'confirmed') times.set(data, (times.get(data) ?? 0) + 1)
  }
  return times
}

describe('G-3, K4, K5: a connection that is cut', () => {
  it(`after each ${EVERY === 1 ? 'byte' : `${EVERY}th byte`} of the request and of the answer of a send pays exactly once`, async () => {
    expect(await settled([await pay('whole payment')])).toStrictEqual(['confirmed'])
    let cuts = 0
    const plan = planOf(longestRequest, await answerLength(network.apiUrl), () => void cuts++)
    const lives = plan.length
    const memos = plan.map((_, life) => `life ${String(life).padStart(8, '0')}`)
    const ends = new Set<PaymentStatus>()
    for (let first = 0; first < lives; first += AT_A_TIME) {
      const batch = memos.slice(first, first + AT_A_TIME)
      const handles = await Promise.all(batch.map((memo, index) => pay(memo, plan[first + index])))
      for (const status of await settled(handles)) ends.add(status)
    }
    expect(ends).toStrictEqual(new Set(['confirmed']))
    const times = await executed()
    expect(memos.filter((memo) => times.get(memo) !== 1)).toStrictEqual([])
    // Every offset that lies within a message was really cut.
    expect(cuts).toBeGreaterThan(plan.flat().length - 3 * LONGER_BYTES)
  })
})

describe('bytes that arrive', () => {
  const post = (body: string) => fetch(`${network.apiUrl}/tx`, { method: 'POST', body })
  const memos = (what: string) => Array.from({ length: 8 }, (_, index) => `${what} ${index}`)

  it('twice at the same time are one payment', async () => {
    const names = memos('twice')
    const also: Promise<unknown>[] = []
    const twice: PostFault = { also: (body) => void also.push(post(body)) }
    const handles = await Promise.all(names.map((memo) => pay(memo, [twice])))
    expect(new Set(await settled(handles))).toStrictEqual(new Set(['confirmed']))
    await Promise.all(also)
    expect(also.length).toBe(names.length)
    const times = await executed()
    expect(names.map((memo) => times.get(memo))).toStrictEqual(names.map(() => 1))
  })

  it('out of order, the first copy after the second was executed, are one payment', async () => {
    const names = memos('late')
    const handles = await Promise.all(names.map((memo) => pay(memo, [{ cutRequestAt: 0 }])))
    expect(new Set(await settled(handles))).toStrictEqual(new Set(['confirmed']))
    for (const memo of names) await post(bodies.get(memo) ?? '')
    await network.control.mine(2)
    const times = await executed()
    expect(names.map((memo) => times.get(memo))).toStrictEqual(names.map(() => 1))
    expect(new Set(handles.map(({ state }) => state.status))).toStrictEqual(new Set(['confirmed']))
  })

  it('H4: and are answered with the answer of another are looked for under their own hash', async () => {
    const names = memos('swapped')
    const alarms: string[] = []
    const end = payments.subscribe(({ type }) => void alarms.push(type))
    const answer = JSON.stringify({ err: 0, result: [{ hash: 'ab'.repeat(32), status: 0 }] })
    const sent: Promise<unknown>[] = []
    const swapped: PostFault = { answer, also: (body) => void sent.push(post(body)) }
    const handles = await Promise.all(names.map((memo) => pay(memo, [swapped])))
    expect(new Set(await settled(handles))).toStrictEqual(new Set(['confirmed']))
    end()
    await Promise.all(sent)
    expect(alarms.filter((type) => type === 'otherHashNamed').length).toBe(names.length)
    const times = await executed()
    expect(names.map((memo) => times.get(memo))).toStrictEqual(names.map(() => 1))
  })
})

/**
 * Plans the faults of one payment's posts: requests cut at three offsets, then, once one gets through, its answer cut
 * at another offset. Where a request may be shorter than the offset, the answer is left alone.
 */
function planOf(requestBytes: number, answerBytes: number, cut: () => void): readonly PostFault[][] {
  const offsets = (bytes: number) =>
    Array.from({ length: Math.ceil((bytes + LONGER_BYTES) / EVERY) }, (_, step) => step * EVERY)
  const answers = offsets(answerBytes).map((cutAnswerAt): PostFault => ({ cutAnswerAt, cut }))
  const requests = offsets(requestBytes).map((cutRequestAt): PostFault => ({ cutRequestAt, cut }))
  const plan: PostFault[][] = []
  for (let first = 0; first < requests.length; first += REQUESTS_CUT) {
    const isLongEnough = (first + REQUESTS_CUT) * EVERY < requestBytes - LONGER_BYTES
    const answer = isLongEnough ? answers.splice(0, 1) : []
    plan.push([...requests.slice(first, first + REQUESTS_CUT), ...answer])
  }
  return [...plan, ...answers.map((answer) => [answer])]
}

/** Bytes of an answer to POST /tx, head included: a refusal is about as long as an acceptance. */
async function answerLength(apiUrl: string): Promise<number> {
  const response = await fetch(`${apiUrl}/tx`, { method: 'POST', body: '[]' })
  const head = [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 19)
  const accepted = JSON.stringify({ err: 0, result: [{ hash: 'ab'.repeat(32), status: 0 }] })
  return head + accepted.length
}

import { createTextVerifier, startLocalNetwork } from '@hailstone/local-network'
import { toAmount } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import {
  createClient,
  createMemoryJournal,
  createPayments,
  createWallet,
  type PaymentHandle,
  walletFromPrivateKey,
} from '../src/node.ts'
import { postingProxy } from './kill/posting-proxy.mjs'

const amount = toAmount(200_000_000_0n)
const feeCap = { units: 1_000_000_000n }
/** Signatures and nonces are not always of the same length. */
const LONGER_BYTES = 12

/** What a memo orders: where the first request that carries it is cut. */
function cutOf(memo: string): { readonly cutRequestAt: number } | { readonly cutAnswerAt: number } | null {
  const [, direction, at] = /cut-(request|answer)-(\d+)/.exec(memo) ?? []
  if (direction === undefined) return null
  return direction === 'request' ? { cutRequestAt: Number(at) } : { cutAnswerAt: Number(at) }
}

describe('G-3: a connection that is cut after every single byte of a send', () => {
  it('pays exactly once, whichever byte it was', async () => {
    await using network = await startLocalNetwork({
      ...{ blockTimeMs: 300, seed: 'every byte' },
      gateway: { maxMicroblocks: 100, maxTransactionsPerMicroblock: 50, maxTransactions: 10_000 },
    })
    const wallet = walletFromPrivateKey(network.accounts.developers[0]?.privateKey ?? '')
    const { address: to } = createWallet()
    const seen = new Set<string>()
    let longestRequest = 0
    let cuts = 0
    await using proxy = await postingProxy(network.apiUrl, (body, raw) => {
      longestRequest = Math.max(longestRequest, raw.length)
      const memo = /"data":"([^"]*)"/.exec(body)?.[1] ?? ''
      if (seen.has(memo)) return null
      seen.add(memo)
      const cut = cutOf(memo)
      return cut && { ...cut, cut: () => void cuts++ }
    })
    await using client = createClient({ apiUrl: proxy.apiUrl, retry: { maxAttempts: 1 } })
    const given = { client, wallet, journal: createMemoryJournal(), feeCap, verify: createTextVerifier() }
    await using payments = await createPayments({ ...given, pollMs: 250, confirmations: 1 })
    const pay = (memo: string) => payments.pay({ to, amount, memo })

    const [whole, answerBytes] = await Promise.all([pay('whole'), answerLength(network.apiUrl)])
    expect((await whole.settled()).state.status).toBe('confirmed')
    const offsets = (bytes: number) => Array.from({ length: bytes + LONGER_BYTES }, (_, at) => at)
    const memos = [
      ...offsets(longestRequest).map((at) => `cut-request-${at}`),
      ...offsets(answerBytes).map((at) => `cut-answer-${at}`),
    ]
    const handles: PaymentHandle[] = []
    for (let at = 0; at < memos.length; at += 32) {
      handles.push(...(await Promise.all(memos.slice(at, at + 32).map(pay))))
    }
    const ends = await Promise.all(handles.map((payment) => payment.settled()))
    expect(new Set(ends.map(({ state }) => state.status))).toStrictEqual(new Set(['confirmed']))

    await using direct = createClient({ apiUrl: network.apiUrl })
    const executed = new Map<string, number>()
    for await (const { data, status } of direct.transactionsOf({ address: to })) {
      expect(status).toBe('confirmed')
      executed.set(data, (executed.get(data) ?? 0) + 1)
    }
    expect(executed).toStrictEqual(new Map([...executed.keys()].map((memo) => [memo, 1])))
    expect(new Set(executed.keys())).toStrictEqual(new Set(['whole', ...memos]))
    // Every offset that lies within a message was really cut.
    expect(cuts).toBeGreaterThan(memos.length - 3 * LONGER_BYTES)
  }, 180_000)
})

/** Bytes of an answer to POST /tx, head included: a refusal is about as long as an acceptance. */
async function answerLength(apiUrl: string): Promise<number> {
  const response = await fetch(`${apiUrl}/tx`, { method: 'POST', body: '[]' })
  const head = [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 19)
  const accepted = JSON.stringify({ err: 0, result: [{ hash: 'ab'.repeat(32), status: 0 }] })
  return head + accepted.length
}

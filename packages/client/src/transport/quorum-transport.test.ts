import { apiError, isNodeError, parseAddress, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../test/support/manual-clock.ts'
import { getBalance } from '../actions/get-balance.ts'
import { assembleClient } from '../client.ts'
import { pinnedCore } from '../pinned-core.ts'
import type { Disagreement } from './quorum-transport.ts'
import type { TransportRequest } from './transport.ts'

const address = parseAddress(`03${'ab'.repeat(32)}`)

/** Answer of a node: amount and height, or its failure. */
type Says = { readonly amount: bigint; readonly height: number } | Error | number

const down = apiError('REQUEST_FAILED', { path: '/balance', reason: 'the connection was refused' })

/** A client of as many nodes as there are scripts; each says what it says at its n-th balance. */
function nodes(quorum: number | undefined, ...scripts: readonly ((count: number) => Says)[]) {
  const clock = manualClock()
  const reported: Disagreement[] = []
  const requests: string[] = []
  const urls = scripts.map((_, at) => `https://node${at}.example/api/v1`)
  const client = assembleClient(
    {
      ...{ apiUrls: urls, quorum, clock, randomness: () => 0, retry: { maxAttempts: 1 } },
      onDisagreement: (disagreement) => reported.push(disagreement),
    },
    ({ apiUrl }) => {
      const at = urls.findIndex((url) => apiUrl.startsWith(url))
      let count = 0
      return {
        request: async ({ path }: TransportRequest) => {
          requests.push(`${at} ${path}`)
          const says = scripts[at]?.(path === '/balance' ? count++ : Math.max(0, count - 1)) ?? down
          if (says instanceof Error) throw says
          if (typeof says === 'number') return { status: says, contentType: null, text: '' }
          const text = path === '/height' ? `{"height":${says.height}}` : balanceText(says.amount)
          return { status: 200, contentType: 'application/json', text }
        },
      }
    },
  )
  return { client, clock, reported, requests }
}

const balanceText = (amount: bigint): string =>
  JSON.stringify({
    ...{ amount: String(amount), token: ZERO_TOKEN_ID, ticker: 'ENQ', decimals: 10 },
    ...{ delegated: 0, reward: 0, transit: 0, undelegated: 0 },
  })

const always =
  (amount: bigint, height = 7) =>
  (): Says => ({ amount, height })
const source = (at: number): string => `https://node${at}.example/api/v1`
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isNodeError(error) ? error.code : error),
  )

describe('H3: a quorum of API nodes', () => {
  it('is off by default: one node is asked, once', async () => {
    const { client, requests } = nodes(undefined, always(5n), always(6n))
    expect((await client.getBalance({ address })).amount).toBe(5n)
    expect(requests).toStrictEqual(['0 /balance'])
  })

  it('asks as many as have to agree while they do, and one for everything else', async () => {
    const { client, requests, reported } = nodes(2, always(5n), always(5n), always(5n))
    expect((await client.getBalance({ address })).amount).toBe(5n)
    expect(requests).toStrictEqual(['0 /balance', '1 /balance'])
    expect(await client.getHeight()).toBe(7)
    expect(requests).toHaveLength(3)
    expect(reported).toStrictEqual([])
  })

  it('outvotes one that says something else at the same height, tells every answer, and trusts it less', async () => {
    const { client, reported, requests, clock } = nodes(2, always(9n), always(5n), always(5n))
    expect((await client.getBalance({ address })).amount).toBe(5n)
    expect(reported).toMatchObject([
      {
        path: '/balance',
        outvoted: [source(0)],
        answers: [
          { source: source(0), height: 7, value: expect.stringMatching(/"amount":9\b/) },
          { source: source(1), height: 7, value: expect.stringMatching(/"amount":5\b/) },
          { source: source(2), height: 7 },
        ],
      },
    ])
    expect(clock.slept).toStrictEqual([1_000])
    requests.length = 0
    expect((await client.getBalance({ address })).amount).toBe(5n)
    expect([...requests].sort()).toStrictEqual(['1 /balance', '2 /balance'])
  })

  it('is no alarm when one has not booked a block yet, or stands elsewhere', async () => {
    // Late for two readings; the third one agrees.
    const late = (count: number): Says => ({ amount: count < 2 ? 4n : 5n, height: 7 })
    const first = nodes(2, late, always(5n), always(5n))
    expect((await first.client.getBalance({ address })).amount).toBe(5n)
    const behind = nodes(2, always(4n, 6), always(5n), always(5n))
    expect((await behind.client.getBalance({ address })).amount).toBe(5n)
    // Between the two heights that were read it went on.
    const moving = nodes(2, (count) => ({ amount: BigInt(count), height: count }), always(50n), always(50n))
    expect((await moving.client.getBalance({ address })).amount).toBe(50n)
    expect([first.reported, behind.reported, moving.reported]).toStrictEqual([[], [], []])
  })

  it('gives no answer when none has enough voices, but all answers with sources and heights', async () => {
    const { client, clock } = nodes(2, always(5n), always(6n, 8))
    await expect(client.getBalance({ address })).rejects.toMatchObject({
      code: 'NODES_DISAGREE',
      facts: {
        ...{ path: '/balance', quorum: 2 },
        answers: [
          { source: source(0), height: 7, value: expect.stringMatching(/"amount":5\b/) },
          { source: source(1), height: 8, value: expect.stringMatching(/"amount":6\b/) },
        ],
      },
    })
    await expect(client.getBalance({ address })).rejects.toThrow(
      /node0\S* says {"amount":5,.*at height 7; .*node1.*at height 8/,
    )
    // Within the deadlines of both calls.
    expect(clock.monotonicMs()).toBeLessThanOrEqual(20_000)
  })

  it('does without a node that is down, as long as enough are left', async () => {
    const { client } = nodes(2, () => down, always(5n), always(5n))
    expect((await client.getBalance({ address })).amount).toBe(5n)
    const nonsense = nodes(2, () => 502, always(5n), always(5n))
    expect((await nonsense.client.getBalance({ address })).amount).toBe(5n)
    const alone = nodes(2, () => down, always(5n))
    expect(await codeOf(alone.client.getBalance({ address }))).toBe('NODES_DISAGREE')
    const none = nodes(
      2,
      () => 503,
      () => 503,
    )
    expect(await codeOf(none.client.getBalance({ address }))).toBe('REQUEST_FAILED')
  })

  it('gives who reads from one node what that node says, or nothing', async () => {
    const good = nodes(2, always(5n), always(5n), always(9n))
    const core = pinnedCore(good.client)
    expect([core.source, (await getBalance(core, { address })).amount]).toStrictEqual([source(0), 5n])
    const bad = nodes(2, always(9n), always(5n), always(5n))
    const liar = pinnedCore(bad.client)
    expect(await codeOf(getBalance(liar, { address }))).toBe('NODES_DISAGREE')
    expect(bad.reported).toMatchObject([{ outvoted: [source(0)] }])
    // The next reading begins elsewhere.
    expect(pinnedCore(bad.client).source).not.toBe(source(0))
    const gone = nodes(2, () => down, always(5n), always(5n))
    expect(await codeOf(getBalance(pinnedCore(gone.client), { address }))).toBe('REQUEST_FAILED')
  })

  it.each([0, 1.5, 3, Number.NaN])('cannot be of %s among two', (quorum) => {
    expect(() => nodes(quorum, always(5n), always(5n))).toThrow(/quorum/)
  })
})

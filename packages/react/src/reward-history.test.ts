import type { Address, Hash, TokenId } from '@hailstone/mining-node'
import { describe, expect, it } from 'vitest'
import type { ClientPort } from './mining-ports.ts'
import { createRewardHistory, totalSince } from './reward-history.ts'

const address = `02${'1'.repeat(64)}` as Address
const ours = 'a'.repeat(64) as TokenId
const other = 'b'.repeat(64) as TokenId
const hashOf = (index: number) => index.toString(16).padStart(64, '0') as Hash

type Line = Awaited<ReturnType<ClientPort['getRewards']>>['records'][number]

/** A network with rewards in two tokens that share a ticker; every third is in the other one. */
function networkOf(count: number) {
  const lines: Line[] = []
  const add = (index: number): void => {
    lines.unshift({
      index,
      rewardIndex: index,
      hash: hashOf(index),
      time: 1_000 + index,
      recordType: 'im',
      amount: BigInt(index + 1) as Line['amount'],
      symbol: 'HAIL',
    })
  }
  for (let index = 0; index < count; index++) add(index)
  const client: ClientPort = {
    getToken: async () => undefined,
    getRewards: async ({ page = 0 }) => {
      const records = lines.slice(page * 10, page * 10 + 10)
      return { address, page, balance: 0n as Line['amount'], records, isLast: records.length < 10 }
    },
    getMicroblock: async ({ hash }) => {
      const index = lines.find((line) => line.hash === hash)?.index ?? 0
      const tokenId = index % 3 === 0 ? other : ours
      const header = { hash, publisher: address, referralAgent: null, tokenId, keyBlockHash: hash }
      return { header, transactions: [] } as unknown as Awaited<ReturnType<ClientPort['getMicroblock']>>
    },
  }
  return { client, add }
}

const historyOf = (client: ClientPort) =>
  createRewardHistory({ client, address, tokenId: ours, isNative: false })

describe('the reward history of one token', () => {
  it('leaves out another token of the same ticker', async () => {
    const history = historyOf(networkOf(10).client)
    await history.refresh()
    expect(history.snapshot().rows.map(({ index }) => index)).toEqual([8, 7, 5, 4, 2, 1])
  })

  it('has the totals that were asked for while it was empty, however many rewards come at once', async () => {
    const { client, add } = networkOf(0)
    const history = historyOf(client)
    await history.readBackTo(0)
    expect(totalSince(history.snapshot(), 0)).toBe(0n)
    for (let index = 0; index < 25; index++) add(index)
    await history.refresh()
    const sum = Array.from({ length: 25 }, (_, index) => (index % 3 === 0 ? 0 : index + 1)).reduce(
      (a, b) => a + b,
    )
    expect(totalSince(history.snapshot(), 0)).toBe(BigInt(sum))
  })

  it('has the height of each row where the client can say it', async () => {
    const { client } = networkOf(3)
    const heights = (port: ClientPort) => {
      const history = historyOf(port)
      return history.refresh().then(() => history.snapshot().rows.map(({ height }) => height))
    }
    expect(await heights(client)).toEqual([null, null])
    const getKeyBlockHeight = async ({ hash }: { readonly hash: string }) => Number.parseInt(hash, 16)
    expect(await heights({ ...client, getKeyBlockHeight })).toEqual([2, 1])
    const failing = () => Promise.reject(new Error('no such path'))
    expect(await heights({ ...client, getKeyBlockHeight: failing })).toEqual([null, null])
  })

  it('gives no total before it was read back that far', async () => {
    const history = historyOf(networkOf(35).client)
    await history.refresh()
    expect(totalSince(history.snapshot(), 0)).toBeNull()
    await history.readBackTo(0)
    const { rows, isComplete } = history.snapshot()
    expect(isComplete).toBe(true)
    expect(totalSince(history.snapshot(), 0)).toBe(rows.reduce((sum, { amount }) => sum + amount, 0n))
  })

  it('takes each reward once while new ones push the pages down', async () => {
    const { client, add } = networkOf(25)
    const history = historyOf(client)
    await history.refresh()
    for (let index = 25; index < 48; index++) add(index)
    await history.refresh()
    await history.readMore(100)
    const indexes = history.snapshot().rows.map(({ index }) => index)
    const expected = Array.from({ length: 48 }, (_, at) => 47 - at).filter((index) => index % 3 !== 0)
    expect(indexes).toEqual(expected)
  })

  it('keeps what it has when the network does not answer, and says why', async () => {
    const { client } = networkOf(12)
    let isDown = false
    const history = historyOf({
      ...client,
      getRewards: (parameters) =>
        isDown ? Promise.reject(new Error('gone')) : client.getRewards(parameters),
    })
    await history.refresh()
    isDown = true
    await history.refresh()
    expect(history.snapshot()).toMatchObject({ why: 'gone', isReading: false })
    expect(history.snapshot().rows.length).toBeGreaterThan(0)
  })
})

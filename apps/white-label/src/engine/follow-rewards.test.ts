import type { Client } from '@hailstone/client'
import type { Address, Hash, TokenId } from '@hailstone/mining-node'
import { expect, it, vi } from 'vitest'
import { followRewards } from './follow-rewards.ts'
import { EMPTY_EXTENT, type RewardStore } from './reward-store.ts'

const address = `02${'1'.repeat(64)}` as Address
const tokenId = 'a'.repeat(64) as TokenId
const hash = 'b'.repeat(64) as Hash

const record = { index: 1, rewardIndex: 1, hash, time: 1, recordType: 'im', amount: 5n, symbol: '' }

/** A client that writes down what is asked of it. */
function askedClient(asked: string[], records: readonly unknown[] = [record]): Client {
  const header = { hash, publisher: address, referralAgent: null, tokenId, keyBlockHash: hash }
  const answers: Readonly<Record<string, unknown>> = {
    getRewards: { address, page: 0, balance: 0n, records, isLast: true },
    getMicroblock: { header, transactions: [] },
    getKeyBlockHeight: 7,
  }
  const answerTo = (name: string) => async () => {
    asked.push(name)
    return answers[name]
  }
  return new Proxy({}, { get: (_, name) => answerTo(String(name)) }) as Client
}

it('asks for a reward its page and its microblock, and nothing that no view shows', async () => {
  const asked: string[] = []
  const rows: unknown[] = []
  const store = {
    extent: async () => ({ ...EMPTY_EXTENT, isComplete: rows.length > 0 }),
    totalSince: async () => null,
    prepend: async (read: { readonly rows: readonly unknown[] }) => void rows.push(...read.rows),
    close: () => undefined,
  } as unknown as RewardStore
  const follower = await followRewards({
    ...{ store, client: askedClient(asked), address, tokenId, isNative: false },
    onChange: () => undefined,
  })
  await follower.refresh()
  await follower.close()
  expect(rows).toHaveLength(1)
  expect(asked).toEqual(['getRewards', 'getMicroblock'])
})

/** Follows two stored rewards. `cut` gets what is taken out of them. */
async function storedTwo(cut: unknown[], records: readonly unknown[]) {
  const marks = [2, 1].map((index) => ({ index, hash }))
  const store = {
    extent: async () => ({ ...EMPTY_EXTENT, recent: marks, records: 2, oldestIndex: 1, isComplete: true }),
    totalSince: async () => null,
    append: async (part: unknown) => void cut.push(part),
    clear: async () => void cut.push('all'),
    prepend: async () => undefined,
    close: () => undefined,
  } as unknown as RewardStore
  return followRewards({
    ...{ store, client: askedClient([], records), address, tokenId, isNative: false },
    onChange: () => undefined,
  })
}

it.each([
  { shown: 'an older record', records: [record], expected: [{ rows: [], marks: [], sinceIndex: 1 }] },
  { shown: 'nothing, as a server that starts', records: [], expected: [] },
])('takes out what the node reports as reverted at once if the history shows $shown', async (given) => {
  const cut: unknown[] = []
  const follower = await storedTwo(cut, given.records)
  await follower.refresh(true)
  expect(cut).toEqual(given.expected)
  await follower.close()
})

it.each([
  { shown: 'an older record', records: [record], expected: { rows: [], marks: [], sinceIndex: 1 } },
  { shown: 'no record', records: [], expected: 'all' },
])(
  'takes out what the node did not report as reverted once a history shows $shown for a minute',
  async (given) => {
    const cut: unknown[] = []
    const follower = await storedTwo(cut, given.records)
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    for (let reading = 0; reading < 6; reading++) await follower.refresh()
    expect(cut).toEqual([])
    now.mockReturnValue(60_000)
    await follower.refresh()
    now.mockRestore()
    expect(cut).toEqual([given.expected])
    await follower.close()
  },
)

it('reads a day of a history that was empty, however many rewards come at once', async () => {
  const all: unknown[] = []
  const stored: { readonly index: number; readonly hash: Hash }[] = []
  let isComplete = false
  const store = {
    extent: async () => ({
      ...EMPTY_EXTENT,
      ...{ recent: stored.slice(0, 10), records: stored.length, end: stored.length, isComplete },
      oldestIndex: stored.at(-1)?.index ?? 0,
      readBackToMs: isComplete ? 0 : Date.now(),
    }),
    totalSince: async () => null,
    prepend: async (read: {
      readonly marks: readonly (typeof stored)[number][]
      readonly isLast: boolean
    }) => {
      stored.push(...read.marks)
      isComplete = read.isLast
    },
    close: () => undefined,
  } as unknown as RewardStore
  const client = new Proxy(askedClient([]), {
    get: (other, name, self) =>
      name === 'getRewards'
        ? async ({ page }: { readonly page: number }) => {
            const records = all.slice(page * 10, page * 10 + 10)
            return { address, page, balance: 0n, records, isLast: records.length < 10 }
          }
        : Reflect.get(other, name, self),
  })
  const follower = await followRewards({
    ...{ store, client, address, tokenId, isNative: false },
    onChange: () => undefined,
  })
  await follower.refresh()
  expect(follower.state()).toMatchObject({ end: 0, isComplete: true })
  const time = Math.floor(Date.now() / 1000)
  for (let index = 24; index >= 0; index--) all.push({ ...record, index, rewardIndex: index, time })
  await follower.refresh()
  expect(follower.state()).toMatchObject({ end: 25, isComplete: true })
  await follower.close()
})

it('says why the stored rewards cannot be read, and reads on when they can', async () => {
  let isDeleted = false
  const store = {
    extent: async () => {
      if (isDeleted) throw new Error('The storage is closed.')
      return { ...EMPTY_EXTENT, isComplete: true }
    },
    totalSince: async () => {
      if (isDeleted) throw new Error('The storage is closed.')
      return null
    },
    prepend: async () => undefined,
    close: () => undefined,
  } as unknown as RewardStore
  const follower = await followRewards({
    ...{ store, client: askedClient([], []), address, tokenId, isNative: false },
    onChange: () => undefined,
  })
  isDeleted = true
  for (const read of [follower.refresh, () => follower.recount(null)]) {
    await read()
    expect(follower.state().why).toBe('The storage is closed.')
  }
  isDeleted = false
  await follower.refresh()
  expect(follower.state().why).toBeNull()
  await follower.close()
})

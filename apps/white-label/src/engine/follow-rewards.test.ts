import type { Client } from '@hailstone/client'
import type { Address, Hash, TokenId } from '@hailstone/mining-node'
import type { RewardLine, RewardRow } from '@hailstone/react'
import { expect, it, vi } from 'vitest'
import { followRewards } from './follow-rewards.ts'
import { EMPTY_EXTENT, type RewardExtent, type RewardStore } from './reward-store.ts'

const address = `02${'1'.repeat(64)}` as Address
const tokenId = 'a'.repeat(64) as TokenId
const now = Math.floor(Date.now() / 1000)

/** Rewards with running numbers that have gaps, newest first; two branches differ in their hashes. */
const linesTo = (newest: number, branch = 0): RewardLine[] =>
  Array.from({ length: newest + 1 }, (_, from) => newest - from).map((at) => ({
    index: 2 * at,
    rewardIndex: at,
    hash: `${branch}${String(at).padStart(63, '0')}` as Hash,
    time: now - 1_000 + at,
    recordType: 'im',
    amount: BigInt(at + 1) as RewardLine['amount'],
    symbol: 'HAIL',
  }))

/** A chain whose answers come from nodes that are so many rewards behind, each answer from the next one. */
function chainOf(lines: RewardLine[]) {
  const chain = { lines, behind: [0] as readonly number[], asked: [] as string[] }
  const answers: Readonly<Record<string, (parameters: never) => unknown>> = {
    getRewards: ({ page = 0 }: { readonly page?: number }) => {
      const pages = chain.asked.filter((name) => name === 'getRewards').length
      const shown = chain.lines.slice(chain.behind[(pages - 1) % chain.behind.length])
      const records = shown.slice(page * 10, page * 10 + 10)
      return { address, page, balance: 0n, records, isLast: records.length < 10 }
    },
    getMicroblock: ({ hash }: { readonly hash: Hash }) => ({
      header: { hash, publisher: address, referralAgent: null, tokenId, keyBlockHash: hash },
      transactions: [],
    }),
  }
  const answerTo = (name: string) => async (parameters: never) => {
    chain.asked.push(name)
    return answers[name]?.(parameters)
  }
  const client = new Proxy({}, { get: (_, name) => answerTo(String(name)) }) as Client
  return Object.assign(chain, { client })
}

/** The part of the store that reading needs, in memory. */
function createStore() {
  let stored: readonly RewardLine[] = []
  let rows: readonly RewardRow[] = []
  let isComplete = false
  let isDeleted = false
  const extent = async (): Promise<RewardExtent> => {
    if (isDeleted) throw new Error('The storage is closed.')
    const bottom = stored.at(-1) ?? null
    const counts = { recent: stored.slice(0, 20), records: stored.length, end: rows.length }
    return { ...EMPTY_EXTENT, ...counts, bottom, isComplete, readBackToMs: bottom && bottom.time * 1000 }
  }
  const store: Partial<RewardStore> = {
    extent,
    totalSince: async () => {
      if (isDeleted) throw new Error('The storage is closed.')
      return isComplete ? rows.reduce((sum, { amount }) => sum + amount, 0n) : null
    },
    append: async ({ rows: added, lines, sinceIndex }) => {
      stored = [...lines, ...stored.filter(({ index }) => index <= sinceIndex)]
      rows = [...added, ...rows.filter(({ index }) => index <= sinceIndex)]
    },
    prepend: async ({ rows: added, lines, isLast }) => {
      stored = [...stored, ...lines]
      rows = [...rows, ...added]
      isComplete = isLast
    },
    clear: async () => {
      stored = []
      rows = []
      isComplete = false
    },
    close: () => undefined,
  }
  return {
    store: store as RewardStore,
    shown: () => rows.map(({ recordHash }) => recordHash),
    setDeleted: (is: boolean) => {
      isDeleted = is
    },
  }
}

async function follow(chain: ReturnType<typeof chainOf>) {
  const kept = createStore()
  const given = { store: kept.store, client: chain.client, address, tokenId, isNative: false }
  const follower = await followRewards({ ...given, onChange: () => undefined })
  return { ...kept, ...follower }
}

const hashes = (lines: readonly RewardLine[]) => lines.map(({ hash }) => hash)

it('asks for a reward its page and its microblock, and nothing that no view shows', async () => {
  const chain = chainOf(linesTo(0))
  const { refresh, shown } = await follow(chain)
  await refresh()
  expect(shown()).toHaveLength(1)
  expect(chain.asked).toEqual(['getRewards', 'getMicroblock'])
})

it('takes out at once what the node reports as reverted if the history shows an older reward', async () => {
  const chain = chainOf(linesTo(14))
  const { refresh, shown } = await follow(chain)
  await refresh()
  chain.lines = linesTo(11)
  await refresh(true)
  expect(shown()).toEqual(hashes(chain.lines))
})

it.each([
  { history: 'one that is three rewards behind', lines: linesTo(11) },
  { history: 'an empty one, as of a node that starts', lines: [] },
])('takes nothing out for $history before it stayed for a minute', async ({ lines }) => {
  const chain = chainOf(linesTo(14))
  const { refresh, shown } = await follow(chain)
  await refresh()
  const before = chain.lines
  chain.lines = lines
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  for (let reading = 0; reading < 6; reading++) await refresh()
  expect(shown()).toEqual(hashes(before))
  clock.mockReturnValue(60_000)
  await refresh()
  clock.mockRestore()
  expect(shown()).toEqual(hashes(lines))
})

it('puts another branch in the place of what was reverted, and a new chain in the place of all', async () => {
  const chain = chainOf(linesTo(44))
  const { refresh, readOlder, shown, state } = await follow(chain)
  await refresh()
  await readOlder({ backToMs: 0 })
  chain.lines = [...linesTo(47, 1).slice(0, 10), ...linesTo(37)]
  await refresh()
  expect(shown()).toEqual(hashes(chain.lines))
  chain.lines = linesTo(60, 2)
  await refresh()
  expect(shown()).toEqual(hashes(chain.lines))
  expect(state().isComplete).toBe(true)
})

it('reads a day of a history that was empty, however many rewards come at once', async () => {
  const chain = chainOf([])
  const { refresh, state } = await follow(chain)
  await refresh()
  expect(state()).toMatchObject({ end: 0, isComplete: true })
  chain.lines = linesTo(24)
  await refresh()
  expect(state()).toMatchObject({ end: 25, isComplete: true })
})

it('takes no history for empty or complete because one node that starts has nothing of it', async () => {
  const chain = chainOf(linesTo(24))
  chain.behind = [25, 0]
  const { refresh, shown, state } = await follow(chain)
  await refresh()
  expect(shown()).toEqual(hashes(chain.lines))
  expect(state().isComplete).toBe(true)
})

it.each([[[0, 3]], [[3, 0]], [[3, 3, 0]], [[2, 0, 0]], [[0, 25]]])(
  'loses no reward between pages of nodes that are behind by turns: %j',
  async (behind) => {
    const chain = chainOf(linesTo(120))
    chain.behind = behind
    const { refresh, shown, state } = await follow(chain)
    await refresh()
    await refresh()
    expect(shown()).toEqual(hashes(chain.lines))
    chain.lines = linesTo(160)
    for (let reading = 0; reading < 4; reading++) await refresh()
    expect(shown()).toEqual(hashes(chain.lines))
    expect(state()).toMatchObject({ isComplete: true, why: null, totals: { all: 13_041n } })
  },
)

it('says why the stored rewards cannot be read, and reads on when they can', async () => {
  const { refresh, recount, state, setDeleted } = await follow(chainOf([]))
  setDeleted(true)
  for (const read of [refresh, () => recount(null)]) {
    await read()
    expect(state().why).toBe('The storage is closed.')
  }
  setDeleted(false)
  await refresh()
  expect(state().why).toBeNull()
})

import type { Address, Hash, MiningSnapshot, TokenId } from '@hailstone/mining-node'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ClientPort } from './mining-ports.ts'
import { createFollowedHistory, createRewardHistory, totalSince } from './reward-history.ts'

const address = `02${'1'.repeat(64)}` as Address
const ours = 'a'.repeat(64) as TokenId
const other = 'b'.repeat(64) as TokenId

type Line = Awaited<ReturnType<ClientPort['getRewards']>>['records'][number]
type Microblock = Awaited<ReturnType<ClientPort['getMicroblock']>>

const hashOf = (index: number, branch: number) => `${branch}${index.toString(16).padStart(63, '0')}` as Hash

/** Records of the account, oldest first; transfers take running numbers too. Two records are of one second. */
const lineOf = (at: number, branch: number, units = at + 1): Line => ({
  index: at * 2,
  rewardIndex: at,
  hash: hashOf(at, branch),
  time: 1_000 + Math.floor(at / 2),
  recordType: 'im',
  amount: BigInt(units) as Line['amount'],
  symbol: 'HAIL',
})

/** A chain whose answers come from nodes that are so many records behind, each request from the next one. */
function chainOf(count: number, isOurs: (at: number) => boolean = () => true) {
  let lines = Array.from({ length: count }, (_, at) => lineOf(at, 0))
  let behind: () => number = () => 0
  const asked = { pages: 0, anew: 0, blocks: 0 }
  const client: ClientPort = {
    getToken: async () => undefined,
    getRewards: async ({ page = 0, maxAgeMs }) => {
      asked.pages++
      if (!maxAgeMs) asked.anew++
      const shown = lines.slice(0, Math.max(0, lines.length - behind())).reverse()
      const records = shown.slice(page * 10, page * 10 + 10)
      return { address, page, balance: 0n as Line['amount'], records, isLast: records.length < 10 }
    },
    getMicroblock: async ({ hash }) => {
      asked.blocks++
      const at = Number.parseInt(hash.slice(1), 16)
      const tokenId = isOurs(at) ? ours : other
      const header = { hash, publisher: address, referralAgent: null, tokenId, keyBlockHash: hash }
      return { header, transactions: new Array(100).fill({}) } as unknown as Microblock
    },
  }
  return {
    client,
    asked,
    add: (more: number) => {
      for (let at = lines.length, end = at + more; at < end; at++) lines.push(lineOf(at, 0))
    },
    /** Takes the newest records back, and puts others in their place. */
    reorganise: (lost: number, won: number, branch = 1) => {
      const kept = lines.slice(0, lines.length - lost)
      const fresh = Array.from({ length: won }, (_, at) => lineOf(kept.length + at, branch, 3))
      lines = [...kept, ...fresh]
    },
    setBehind: (next: () => number) => {
      behind = next
    },
    lines: () => lines,
    total: () => lines.reduce((sum, { amount, index }) => (isOurs(index / 2) ? sum + amount : sum), 0n),
  }
}

const parametersOf = (client: ClientPort) => ({ client, address, tokenId: ours, isNative: false })
const historyOf = (client: ClientPort) => createRewardHistory(parametersOf(client))
type State = ReturnType<ReturnType<typeof historyOf>['snapshot']>
const hashesOf = ({ rows }: State) => rows.map(({ recordHash }) => recordHash)
const newestFirst = (lines: readonly Line[]) => [...lines].reverse().map(({ hash }) => hash)
const cycle = (values: readonly number[]) => {
  let next = 0
  return () => values[next++ % values.length] ?? 0
}

describe('a reorganisation', () => {
  it('takes rewards out of list and total, and puts others in their place', async () => {
    const chain = chainOf(15)
    const history = historyOf(chain.client)
    await history.readBackTo(0)
    expect(totalSince(history.snapshot(), 0)).toBe(120n)
    chain.reorganise(13, 8)
    await history.refresh()
    expect(hashesOf(history.snapshot())).toEqual(newestFirst(chain.lines()))
    expect(totalSince(history.snapshot(), 0)).toBe(27n)
  })

  it('takes rewards out when nothing replaces them', async () => {
    const chain = chainOf(45)
    const history = historyOf(chain.client)
    await history.readBackTo(0)
    chain.reorganise(25, 0)
    await history.refresh()
    expect(hashesOf(history.snapshot())).toEqual(newestFirst(chain.lines()))
    expect(totalSince(history.snapshot(), 0)).toBe(chain.total())
    chain.add(3)
    await history.refresh()
    expect(totalSince(history.snapshot(), 0)).toBe(chain.total())
  })

  it('below a record that stays is seen', async () => {
    const chain = chainOf(40)
    const history = historyOf(chain.client)
    await history.readBackTo(0)
    const top = chain.lines().at(-1) as Line
    chain.reorganise(13, 12)
    chain.lines().push(top)
    await history.refresh()
    expect(hashesOf(history.snapshot())).toEqual(newestFirst(chain.lines()))
  })

  it.each([[[0, 3]], [[3, 0]], [[3, 3, 0]], [[2, 0, 0]]])(
    'is not seen in nodes that are behind by turns: %j',
    async (behind) => {
      const chain = chainOf(60)
      const history = historyOf(chain.client)
      await history.readBackTo(0)
      chain.setBehind(cycle(behind))
      for (let reading = 0; reading < 3; reading++) {
        await history.refresh()
        expect(hashesOf(history.snapshot())).toEqual(newestFirst(chain.lines()))
      }
    },
  )

  it('is believed at once when the node told it, else only of a node that stays behind for a minute', async () => {
    const chain = chainOf(20)
    const history = createFollowedHistory(parametersOf(chain.client))
    const told = (count: number): MiningSnapshot['rewards'] => [
      { tokenId: ours, count, own: 0n, referral: 0n },
    ]
    await history.follow(told(5))
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    const newest = hashesOf(history.snapshot())
    chain.reorganise(2, 0)
    const before = chain.asked.pages
    for (let reading = 0; reading < 6; reading++) await history.follow(told(5))
    expect(hashesOf(history.snapshot())).toEqual(newest)
    expect(chain.asked.pages - before).toBe(6)
    now.mockReturnValue(60_000)
    await history.follow(told(5))
    expect(hashesOf(history.snapshot())[0]).toBe(newest[2])
    now.mockRestore()
    chain.reorganise(3, 0)
    await history.follow(told(4))
    expect(hashesOf(history.snapshot())[0]).toBe(newest[5])
  })

  it('is looked for anew where a page begins: the node may read nothing more for hours', async () => {
    const { client, asked } = chainOf(5)
    const history = createFollowedHistory(parametersOf(client))
    await Promise.all([history.readBackTo(0), history.follow([], true)])
    expect(asked).toMatchObject({ pages: 2, anew: 1 })
    await history.follow([])
    expect(asked).toMatchObject({ pages: 3, anew: 1 })
  })

  it('that the node told is looked for until an answer shows it', async () => {
    const chain = chainOf(20)
    const history = createFollowedHistory(parametersOf(chain.client))
    const told = (count: number) => [{ tokenId: ours, count, own: 0n, referral: 0n }]
    await history.follow(told(2))
    await history.follow(told(1))
    chain.reorganise(1, 0)
    await history.follow(told(1))
    expect(hashesOf(history.snapshot())[0]).toBe(chain.lines().at(-1)?.hash)
  })
})

describe('pages from nodes of different height', () => {
  it('neither lose nor repeat a record', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 63 }),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 25 }),
        async (count, behind, more) => {
          const chain = chainOf(count, (at) => at % 3 !== 0)
          // One of the nodes has everything.
          chain.setBehind(cycle([...behind, 0]))
          const history = historyOf(chain.client)
          const readAll = async (): Promise<void> => {
            for (let tries = 0; tries < 40; tries++) {
              await history.refresh()
              await history.readMore(7)
              await history.readBackTo(0)
              const { isComplete, why } = history.snapshot()
              if (isComplete && why === null && tries > behind.length) return
            }
          }
          await readAll()
          chain.add(more)
          await readAll()
          const expected = chain.lines().filter(({ index }) => (index / 2) % 3 !== 0)
          expect(hashesOf(history.snapshot())).toEqual(newestFirst(expected))
          expect(totalSince(history.snapshot(), 0)).toBe(chain.total())
        },
      ),
    )
  })

  it('take no more requests than pages from one node', async () => {
    const chain = chainOf(45)
    const history = historyOf(chain.client)
    await history.refresh()
    await history.readBackTo(0)
    chain.add(1)
    await history.refresh()
    expect(chain.asked).toMatchObject({ pages: 6, blocks: 46 })
  })

  it('of an account whose records fill the last page have an end', async () => {
    const chain = chainOf(20)
    const history = historyOf(chain.client)
    await history.readMore(100)
    expect(history.snapshot()).toMatchObject({ isComplete: true, readBackToMs: 0, why: null })
    expect(chain.asked.pages).toBe(2)
  })

  it('that are empty count when they are repeated', async () => {
    const chain = chainOf(12)
    chain.setBehind(cycle([12, 12, 0]))
    const history = historyOf(chain.client)
    await history.refresh()
    expect(history.snapshot().rows).toHaveLength(10)
    const none = historyOf(chainOf(0).client)
    await none.refresh()
    expect(none.snapshot()).toMatchObject({ rows: [], isComplete: true, readBackToMs: 0 })
  })
})

describe('what cannot be read', () => {
  it('is said, asked for again, and left out by no other reading', async () => {
    const chain = chainOf(30)
    let isDown = true
    const history = historyOf({
      ...chain.client,
      getMicroblock: async ({ hash }) =>
        hash === hashOf(25, 0) && isDown ? undefined : chain.client.getMicroblock({ hash }),
    })
    await history.refresh()
    expect(history.snapshot()).toMatchObject({ rows: [], readBackToMs: null, isReading: false })
    expect(history.snapshot().why).toContain('does not show the microblock')
    isDown = false
    await history.readMore()
    expect(history.snapshot()).toMatchObject({ why: null, isReading: false })
    expect(history.snapshot().rows.length).toBeGreaterThanOrEqual(10)
  })

  it('is said of a client that does not answer', async () => {
    vi.useFakeTimers()
    const chain = chainOf(3)
    let isSilent = true
    const silent = new Promise<never>(() => undefined)
    const history = historyOf({
      ...chain.client,
      getRewards: (parameters) => (isSilent ? silent : chain.client.getRewards(parameters)),
    })
    const reading = history.refresh()
    await vi.runAllTimersAsync()
    await reading
    vi.useRealTimers()
    expect(history.snapshot()).toMatchObject({ isReading: false, why: expect.stringContaining('no answer') })
    isSilent = false
    await history.refresh()
    expect(history.snapshot()).toMatchObject({ isComplete: true, why: null })
  })

  it('does not include a listener that throws', async () => {
    const chain = chainOf(3)
    const history = historyOf(chain.client)
    const said = vi.fn()
    vi.stubGlobal('reportError', said)
    history.subscribe(() => {
      throw new Error('a listener')
    })
    await history.refresh()
    await history.refresh()
    expect(history.snapshot()).toMatchObject({ isComplete: true, isReading: false })
    expect(said).toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  it('is in no total: the second of the oldest record may go on on the next page', async () => {
    const chain = chainOf(11)
    const history = historyOf(chain.client)
    await history.refresh()
    const last = chain.lines()[1] as Line
    expect(totalSince(history.snapshot(), last.time * 1000)).toBeNull()
    await history.readBackTo(last.time * 1000)
    expect(totalSince(history.snapshot(), last.time * 1000)).toBe(chain.total())
  })
})

describe('a long history', () => {
  const COUNT = 3_333

  it('keeps the newest thousand rows, exact totals, and reads older rows again when asked', async () => {
    const chain = chainOf(COUNT, (at) => at % 7 !== 0)
    const history = historyOf(chain.client)
    await history.readBackTo(0)
    const state = history.snapshot()
    expect(state).toMatchObject({ readBackToMs: 0, isComplete: false })
    expect(state.rows).toHaveLength(1_000)
    const { lines } = chain
    const ofOurs = () => lines().filter(({ index }) => (index / 2) % 7 !== 0)
    const since = (timeMs: number): bigint =>
      ofOurs().reduce((sum, { time, amount }) => (time * 1000 >= timeMs ? sum + amount : sum), 0n)
    const expectTotals = (): void => {
      for (const seconds of [0, 1_000, 1_001, 1_234, 2_077, 2_078, 2_500, 3_000])
        expect(totalSince(history.snapshot(), seconds * 1000)).toBe(since(seconds * 1000))
    }
    expectTotals()
    chain.add(37)
    await history.refresh()
    expect(history.snapshot().rows).toHaveLength(1_000)
    expectTotals()
    await history.readMore(50)
    expect(hashesOf(history.snapshot())).toEqual(newestFirst(ofOurs()).slice(0, 1_050))
    expectTotals()
    await history.readMore(COUNT)
    expect(hashesOf(history.snapshot())).toEqual(newestFirst(ofOurs()))
    expect(history.snapshot()).toMatchObject({ isComplete: true, older: [] })
    expectTotals()
  })

  it('keeps no part of a microblock that no row shows', async () => {
    const chain = chainOf(60)
    const blocks: WeakRef<object>[] = []
    const history = historyOf({
      ...chain.client,
      getMicroblock: async (parameters) => {
        const block = await chain.client.getMicroblock(parameters)
        if (block !== undefined) blocks.push(new WeakRef(block))
        return block
      },
    })
    await history.readBackTo(0)
    const { setFlagsFromString } = await import('node:v8')
    const { runInNewContext } = await import('node:vm')
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await expect
      .poll(() => {
        collect()
        return blocks.filter((block) => block.deref() !== undefined).length
      })
      .toBe(0)
    expect(history.snapshot().rows).toHaveLength(60)
  })
})

import { describe, expect, it } from 'vitest'
import {
  campaignSums,
  hasStopped,
  invitedMiners,
  type MinerFacts,
  newestSince,
  stopCause,
} from './invited-miners.ts'

const HOUR_MS = 3_600_000
const row = (miner: string | null, amount: bigint, timeMs: number, role = 'agent') =>
  ({ role, miner, amount, timeMs }) as Parameters<typeof invitedMiners>[0][number]

describe('invited miners', () => {
  it('are those that halves of an agent came for, with their sums, who earned last first', () => {
    const rows = [
      row('a', 5n, 10),
      row('b', 7n, 20),
      row('a', 6n, 5),
      row('me', 100n, 30, 'miner'),
      row('me', 3n, 30, 'referral'),
      row('c', 9n, 40, 'tokenOwner'),
      row(null, 1n, 50),
    ]
    expect(invitedMiners(rows)).toEqual([
      { address: 'b', units: 7n, lastAtMs: 20 },
      { address: 'a', units: 11n, lastAtMs: 10 },
    ])
  })

  it('count as stopped after a day without a reward', () => {
    expect(hasStopped({ lastAtMs: 0 }, 24 * HOUR_MS)).toBe(false)
    expect(hasStopped({ lastAtMs: 0 }, 24 * HOUR_MS + 1)).toBe(true)
    // A clock that was set back makes nobody stop.
    expect(hasStopped({ lastAtMs: HOUR_MS }, 0)).toBe(false)
  })

  it('add up by campaign; one that nobody came by has nothing', () => {
    const miners = invitedMiners([row('a', 5n, 1), row('b', 7n, 1), row('c', 9n, 1)])
    const noted = {
      names: ['spring', 'fair'],
      campaignOf: { a: 'spring', b: 'spring', c: 'gone', d: 'fair' },
    }
    expect(campaignSums(miners, noted)).toEqual([
      { name: 'spring', miners: 2, units: 12n },
      { name: 'fair', miners: 0, units: 0n },
    ])
  })
})

describe('the cause of a stop', () => {
  const us = { agent: 'us', tokenId: 'ours' }
  const none: MinerFacts = { balance: 10n, minimumStake: 10n, later: 'none' }
  const mined = (
    referralAgent: string | null,
    { tokenId = 'ours', isAgentPaid = null }: { tokenId?: string; isAgentPaid?: boolean | null } = {},
  ): MinerFacts => ({ ...none, later: { tokenId, referralAgent, isAgentPaid } })

  it.each<[string, MinerFacts]>([
    ['silent', none],
    ['unknown', { ...none, minimumStake: null }],
    ['unknown', { ...none, later: null }],
    ['stake', { ...none, balance: 9n }],
    ['noAgent', mined(null)],
    ['otherAgent', mined('them')],
    ['ownStake', mined('us', { isAgentPaid: false })],
    // It mines, whatever its balance is by now.
    ['ownStake', { ...mined('us', { isAgentPaid: false }), balance: 0n }],
    ['notYet', mined('us', { isAgentPaid: true })],
    ['unknown', mined('us')],
    ['otherToken', mined('us', { tokenId: 'theirs', isAgentPaid: false })],
  ])('is %s', (cause, given) => {
    expect(stopCause(given, us)).toBe(cause)
  })
})

describe('the newest record of a kind', () => {
  /** Records of a busy agent, newest first: one of its own work each so many, a second apart. */
  const history = (length: number, ownEvery: number) =>
    Array.from({ length }, (_, place) => ({ time: length - place, isOwn: place % ownEvery === ownEvery - 1 }))
  const find = (records: ReturnType<typeof history>, sinceMs: number) => {
    const read: number[] = []
    const pageOf = async (page: number) => {
      read.push(page)
      const part = records.slice(page * 10, page * 10 + 10)
      return { records: part, isLast: part.length < 10 }
    }
    const found = newestSince(sinceMs, { pageOf, isWanted: ({ isOwn }) => isOwn }, 0)
    return found.then((record) => ({ record, read }))
  }

  it('is found behind full pages of other records', async () => {
    expect(await find(history(100, 25), 0)).toEqual({ record: { time: 76, isOwn: true }, read: [0, 1, 2] })
  })

  it('is reported missing once older records come, or the history ends', async () => {
    const four = (...pages: number[]) => [pages, pages, pages, pages].flat()
    expect(await find(history(100, 25), 77_000)).toEqual({ record: 'none', read: four(0, 1, 2) })
    expect(await find(history(100, 25), 76_000)).toMatchObject({ record: { time: 76 } })
    expect(await find(history(20, 25), 0)).toEqual({ record: 'none', read: four(0, 1, 2) })
    expect(await find([], 0)).toEqual({ record: 'none', read: four(0) })
  })

  it('is found where some of the nodes that answer are behind', async () => {
    const shown = [history(9, 25), [], history(25, 25)]
    const pageOf = async (page: number) => {
      const records = (shown.length > 1 ? shown.shift() : shown[0])?.slice(page * 10, page * 10 + 10) ?? []
      return { records, isLast: records.length < 10 }
    }
    const found = newestSince(0, { pageOf, isWanted: ({ isOwn }) => isOwn }, 0)
    expect(await found).toEqual({ time: 1, isOwn: true })
  })

  it('is not known after thirty pages', async () => {
    const { record, read } = await find(history(400, 350), 0)
    expect(record).toBeNull()
    expect(read).toHaveLength(30)
  })
})

import { parseAddress } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../test/support/recordings.ts'
import { scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient } from '../node.ts'
import { joinedPage } from './history.ts'

const address = parseAddress(`02${'ab'.repeat(32)}`)
const hash = 'cd'.repeat(32)
const record = (index: number) => `{"i":${index},"hash":"${hash}","time":1,"refreward":${index}}`
const page = (indices: readonly number[]): string =>
  `{"balance":1,"records":[${indices.map(record).join(',')}],"page_count":0,"id":"${address}"}`
const nothing = `{"balance":1,"id":"${address}"}`

const pageOf = (query = ''): number => Number(new URLSearchParams(query).get('page'))

function historyClient(answer: (page: number) => string) {
  const transport = scriptedTransport(({ query }) => answer(pageOf(query)))
  return { client: createClient({ apiUrl: 'http://127.0.0.1:1', transport }), transport }
}

async function indicesOf(answer: (page: number) => string): Promise<readonly number[]> {
  const indices: number[] = []
  const { client } = historyClient(answer)
  for await (const { index } of client.referralRewardsOf({ address })) indices.push(index)
  return indices
}

const countdown = (from: number, length: number) =>
  Array.from({ length: Math.max(0, Math.min(length, from + 1)) }, (_, at) => from - at)

describe('a page of a history', () => {
  it('is empty for an account without records', async () => {
    const { client } = historyClient(() => nothing)
    expect(await client.getReferralRewards({ address })).toStrictEqual({
      address,
      page: 0,
      balance: 1n,
      records: [],
      isLast: true,
    })
  })

  it('names its account in lower case, in whichever case it was asked for', async () => {
    const { client } = historyClient(() => nothing)
    expect(await client.getReferralRewards({ address: address.toUpperCase() })).toMatchObject({ address })
  })

  it('is asked for by its number', async () => {
    const { client, transport } = historyClient(() => page([3]))
    expect(await client.getReferralRewards({ address, page: 4 })).toMatchObject({ page: 4, isLast: true })
    expect(transport.requests[0]?.query).toBe(`id=${address}&page=4`)
  })

  it('of another account, or with more than ten records, is refused', async () => {
    const other = historyClient(() => nothing.replace('"id":"02ab', '"id":"02ac'))
    await expect(other.client.getReferralRewards({ address })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    })
    const long = historyClient(() => page(countdown(20, 11)))
    await expect(long.client.getReferralRewards({ address })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    })
  })
})

describe('going through a history', () => {
  type Case = { readonly name: string; readonly total_records: number }
  const totals = [
    ...new Set(casesOf<Case>('vectors/pagination.json').map(({ total_records }) => total_records)),
  ]

  it.each(totals.filter((total) => total > 0))(
    'finds all of %i records, whatever the page count says',
    async (total) => {
      const served = (at: number) => page(countdown(total - 1 - 10 * at, 10))
      expect(await indicesOf(served)).toStrictEqual(countdown(total - 1, total))
    },
  )

  it('H7: gives each record once while new ones push the pages down', async () => {
    const served = (at: number) => page(countdown(24 + 3 * at - 10 * at, 10))
    expect(await indicesOf(served)).toStrictEqual(countdown(24, 25))
  })

  it('H8: leaves a server that repeats itself for ever', async () => {
    await expect(indicesOf(() => page(countdown(30, 10)))).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      facts: { path: '/account_refreward' },
    })
  })

  it.each([3, 13, 30])(
    'gives each record of nodes that answer in turn and are %i records apart',
    async (apart) => {
      let answers = 0
      const served = (at: number) => page(countdown(62 - (answers++ % 2 === 0 ? 0 : apart) - 10 * at, 10))
      expect(await indicesOf(served)).toStrictEqual(countdown(62, 63))
    },
  )

  it('asks once for each page of rewards, whatever other records stand between them', async () => {
    const reward = (own: number) =>
      `{"i":${3 * own},"irew":${own},"hash":"${hash}","time":1,"rectype":"im","amount":1,"ticker":null}`
    const rewards = (own: readonly number[]) =>
      `{"balance":1,"records":[${own.map(reward).join(',')}],"page_count":0,"id":"${address}"}`
    const { client, transport } = historyClient((at) => rewards(countdown(24 - 10 * at, 10)))
    const indices: number[] = []
    for await (const { index } of client.rewardsOf({ address })) indices.push(index / 3)
    expect(indices).toStrictEqual(countdown(24, 25))
    expect(transport.requests).toHaveLength(3)
  })

  it('reads no further page than the loop asks for', async () => {
    const { client, transport } = historyClient((at) => page(countdown(99 - 10 * at, 10)))
    for await (const { index } of client.referralRewardsOf({ address })) if (index === 95) break
    expect(transport.requests).toHaveLength(1)
  })
})

describe('a page that follows others', () => {
  const numbered = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ index: 2 * (from - at) }))
  /** Nodes that answer in turn, each with records up to a number. */
  const nodes = (...newest: readonly number[]) => {
    let answers = 0
    return async (page: number) => {
      const from = (newest[answers++ % newest.length] ?? 0) - 10 * page
      const records = numbered(from, Math.max(0, Math.min(10, from)))
      return { records, isLast: records.length < 10 }
    }
  }

  it('brings what stands between two pages of nodes that are apart', async () => {
    const read = nodes(43, 40)
    const { records: before } = await joinedPage(read, 0, Number.POSITIVE_INFINITY)
    const { records, isLast } = await joinedPage(read, 1, before.at(-1)?.index ?? 0)
    expect(records.map(({ index }) => index / 2)).toStrictEqual(
      numbered(33, 13).map(({ index }) => index / 2),
    )
    expect(isLast).toBe(false)
  })

  it('is not the last one because a node that starts has nothing', async () => {
    const read = nodes(43, 0)
    const { records: before } = await joinedPage(read, 0, Number.POSITIVE_INFINITY)
    const { records, isLast } = await joinedPage(read, 1, before.at(-1)?.index ?? 0)
    expect([records.length, isLast]).toStrictEqual([10, false])
  })

  it.each([3, 13, 30, 43, 60])('leaves out no record of nodes that are %i records apart', async (apart) => {
    const read = nodes(63, 63 - apart)
    const shown = new Set<number>()
    let lowest = Number.POSITIVE_INFINITY
    for (let page = 0; page < 10; page++) {
      const { records, isLast } = await joinedPage(read, page, lowest)
      for (const { index } of records) shown.add(index / 2)
      if (isLast) break
      lowest = Math.min(lowest, records.at(-1)?.index ?? lowest)
    }
    expect(shown.size).toBe(63)
  })
})

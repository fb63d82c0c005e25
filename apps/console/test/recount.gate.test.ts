import { type Client, createClient } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import { type Address, formatAmount, type TransactionStatus } from '@hailstone/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { addressNamed } from '../../../packages/indexer/test/population.ts'
import { openTestChain, type TestChain, transfer } from '../../../packages/indexer/test/test-chain.ts'
import { emissionForecast } from '../src/figures/emission.ts'
import { explain } from '../src/figures/explain.ts'
import { healthValues } from '../src/figures/health.ts'
import { readSnapshot } from '../src/figures/read-snapshot.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { createLabels } from '../src/labels/labels.ts'
import { type Follower, openFollower } from '../src/open-follower.ts'
import { serveConsole } from '../src/serve-console.ts'

const DAY = 86_400
const COIN = 10n ** 10n
/** Macroblocks that the share of rejected transfers looks at. */
const NEWEST = 240

const openings: (() => PromiseLike<unknown>)[] = []
afterEach(async () => {
  for (const end of openings.splice(0).reverse()) await end()
})

type Told = {
  readonly height: number
  readonly hash: string
  readonly from: string
  readonly amount: bigint
  readonly status: TransactionStatus
}

/** Reads every transfer in the token from the API, macroblock by macroblock. */
async function transfersOf(client: Client, { token, blocks }: TestChain): Promise<readonly Told[]> {
  const told: Told[] = []
  for (const [height, { macroblock }] of blocks.entries())
    for (const { hash } of macroblock.microblocks) {
      const microblock = await client.getMicroblock({ hash })
      for (const { tokenId, hash, from, amount, status } of microblock?.transactions ?? [])
        if (tokenId === token.id) told.push({ height, hash, from, amount, status })
    }
  return told
}

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n)

type Scene = {
  readonly chain: TestChain
  readonly client: Client
  readonly follower: Follower
  readonly miner: Address
  readonly payer: Address
  /** Asks for a file as an owner and returns its cells. */
  readonly fileOf: (path: string) => Promise<readonly (readonly string[])[]>
}

/**
 * A chain of a young token with 650 rewards of one miner and 300 payouts, some of them in a branch that is gone, among
 * transfers that are rejected and copies of all of them.
 */
async function openScene(): Promise<Scene> {
  const chain = await openTestChain('recount')
  openings.push(() => chain[Symbol.asyncDispose]())
  const { token, genesis } = chain
  const native = genesis.tokens.native.id
  const [miner, payer, other] = genesis.accounts.developers.map(({ address }) => address) as [
    Address,
    Address,
    Address,
  ]
  const filler = () => transfer({ from: other, to: miner, amount: 5n, tokenId: native })
  const pay = (from: Address, amount: bigint) =>
    transfer({ from, to: addressNamed('receiver'), amount, tokenId: token.id })
  const mine = (transactions: readonly ReturnType<typeof pay>[], seconds = 15) =>
    chain.close(
      Array.from({ length: 5 }, (_, at) => ({
        ...{ publisher: miner, tokenId: token.id },
        transactions: at === 0 ? [filler(), ...transactions] : [filler()],
      })),
      seconds,
    )
  const copies: ReturnType<typeof pay>[] = []
  for (let block = 0; block < 60; block++) {
    const paid = Array.from({ length: 5 }, () => pay(payer, COIN))
    const rejected = block % 3 === 0 ? [pay(payer, 10n ** 19n), pay(addressNamed('nobody'), COIN)] : []
    await mine([...paid, ...rejected, ...copies.slice(-9)], block === 20 || block === 40 ? DAY : 15)
    copies.push(...paid, ...rejected)
  }
  await chain.rewind(55)
  for (let block = 0; block < 75; block++)
    await mine(block < 5 ? [pay(payer, 2n * COIN), ...copies.slice(0, 5)] : [])
  const index = await openIndex()
  openings.push(index.close)
  await createLabels(await openLabelTables(index)).set({ address: payer, text: 'Till', kind: 'payer' })
  const client = createClient({ apiUrl: chain.apiUrl })
  openings.push(client.close)
  const follower = await openFollower({ index, client, tokenId: token.id })
  openings.push(() => follower[Symbol.asyncDispose]())
  await follower.catchUp()
  const server = await serveConsole({ follower })
  openings.push(server.stop)
  const signedIn = await fetch(server.signInUrl(), { redirect: 'manual' })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    ...{ chain, client, follower, miner, payer },
    async fileOf(path) {
      const answer = await fetch(`${server.url}${path}`, { headers: { cookie } })
      expect([path, answer.status]).toStrictEqual([path, 200])
      const [titles, ...lines] = (await answer.text()).trimEnd().split('\r\n')
      expect(titles).toBeDefined()
      return lines.map((line) => line.split(','))
    },
  }
}

it('is that of its token while a rebuild has given the token another number', async () => {
  const { client, follower } = await openScene()
  const { queries } = follower.index
  const { number, id } = follower.token
  const supply = (await client.getToken({ tokenId: id }))?.totalSupply
  const suppliesOf = () => readSnapshot({ follower, nowMs: 0 }, async (context) => context.supply)
  expect(await suppliesOf()).toMatchObject({ data: supply, token: { id, number } })
  // As the tables are after a rebuild with tokens in another order, before the console has looked at them.
  const {
    id: _,
    token_id: __,
    ...rest
  } = await queries.selectFrom('token').selectAll().executeTakeFirstOrThrow()
  await queries
    .updateTable('token')
    .set({ id: number + 1 })
    .where('id', '=', number)
    .execute()
  const other = { ...rest, id: number, token_id: 'cd'.repeat(32), total_supply: 7n }
  await queries.insertInto('token').values(other).execute()
  expect(await suppliesOf()).toMatchObject({ data: supply, token: { id, number: number + 1 } })
})

describe('a figure of the console, counted a second time over the answers of the API', () => {
  it('is the same, with rejected transfers, copies, another branch, long lists and a young token', async () => {
    const { chain, client, follower, miner, payer, fileOf } = await openScene()
    const { token } = chain
    const transfers = await transfersOf(client, chain)
    const ask = <Data>(compute: Parameters<typeof readSnapshot<Data>>[1]) =>
      readSnapshot({ follower, nowMs: Date.now() }, compute).then(({ data }) => data)

    // Payouts: every one is listed with its status; 200 are a page.
    const payouts = transfers.filter(({ from }) => from === payer)
    expect(payouts.length).toBeGreaterThan(300)
    const rowsOf = (rows: readonly (readonly string[])[]) =>
      rows.map((row) => [row[6], row[5], row[3]].join(' ')).sort()
    const expected = payouts
      .map(({ hash, status, amount }) => `${hash} ${status} ${formatAmount(amount, { decimals: 10 })}`)
      .sort()
    expect(rowsOf(await fileOf('/v1/payouts.csv'))).toStrictEqual(expected)
    expect((await fileOf('/v1/payouts.csv?limit=7')).length).toBe(7)

    // Rewards of one account, and what the explanation says of them.
    const own: bigint[] = []
    for await (const { amount, symbol } of client.rewardsOf({ address: miner }))
      if (symbol === token.symbol) own.push(amount)
    expect(own.length).toBeGreaterThan(600)
    const paid = sum(own)
    const file = await fileOf(`/v1/miner-rewards.csv?address=${miner}`)
    expect(file.length).toBe(own.length)
    expect(sum(file.map((row) => BigInt(Math.round(Number(row[3]) * 1e10))))).toBe(paid)
    const verdicts = await ask((context) => explain(context, { address: miner, days: 30 }))
    expect(verdicts.find(({ code }) => code === 'PAID')?.evidence.paid).toBe(String(paid))

    // Rejected ones among those that are no copies.
    const newest = transfers.filter(({ height }) => height > chain.blocks.length - 1 - NEWEST)
    const decided = new Map(
      newest.filter(({ status }) => status !== 'duplicate').map((one) => [one.hash, one.status]),
    )
    const rejected = [...decided.values()].filter((status) => status === 'rejected').length
    expect(newest.length).toBeGreaterThan(decided.size + 100)
    const health = await ask(healthValues)
    expect(health.rejectedOfNewest).toBeCloseTo((100 * rejected) / decided.size, 1)

    // Emission: two whole days and one that is not over.
    const dayOf = (height: number): number =>
      Math.floor((chain.blocks[height]?.macroblock.keyBlock.time ?? 0) / DAY)
    const [first, today] = [dayOf(0), dayOf(chain.blocks.length - 1)]
    expect(today - first).toBe(2)
    const start = await client.getToken({ tokenId: token.id })
    const left = (start?.maxSupply ?? 0n) - (start?.totalSupply ?? 0n)
    const mined = new Map(
      chain.blocks.flatMap(({ macroblock }, height) =>
        macroblock.microblocks.map(({ hash }) => [hash, height]),
      ),
    )
    const everybody = [miner, token.owner]
    let ofWholeDays = 0n
    for (const address of everybody)
      for await (const { hash, amount, symbol } of client.rewardsOf({ address })) {
        const height = mined.get(hash)
        if (symbol === token.symbol && height !== undefined && dayOf(height) < today) ofWholeDays += amount
      }
    expect((await ask(emissionForecast)).daysOfWeek).toBe(Number((left * 2n) / ofWholeDays))
  })
})

import { type Client, createClient } from '@hailstone/client'
import {
  type Amount,
  encodeContractOrder,
  type TokenId,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { describeEngines } from '../../local-network/test/engines.ts'
import { checkIndex } from '../src/check-index.ts'
import { type Index, openIndex } from '../src/open-index.ts'
import { type IndexWriter, openWriter } from '../src/run-indexer.ts'
import { undoAbove } from '../src/store/undo.ts'
import { contentOf } from './figures-of-index.ts'
import { closeRandom, peopleOf } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain, transfer } from './test-chain.ts'

const openings: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of openings.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

function opened<T extends AsyncDisposable>(one: T): T {
  openings.push(one)
  return one
}

type World = {
  readonly chain: TestChain
  readonly client: Client
  readonly index: Index
  readonly writer: IndexWriter
  readonly grow: (blocks: number) => Promise<void>
  /** Newest heights of the transactions. */
  readonly commits: number[]
}

/** The rows of an index that saw nothing but the branch that is there now. */
async function contentAnew({ client, chain }: Pick<World, 'client' | 'chain'>): Promise<unknown> {
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  await writer.step()
  return await contentOf(index.queries)
}

describeEngines('C-3: a reorganisation', (engine) => {
  async function begin(blocks: number, seed = 3): Promise<World> {
    const random = randomOf(seed)
    const chain = opened(await openTestChain(`fork ${seed}`))
    const grow = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left--) await closeRandom(chain, random)
    }
    await grow(blocks)
    const client = opened(createClient({ apiUrl: chain.apiUrl }))
    const index = opened(await openIndex(await engine.newPlace()))
    const commits: number[] = []
    const onCommit = (height: number) => commits.push(height)
    const writer = opened(await openWriter({ index, client, tokenIds: [chain.token.id], onCommit }))
    await writer.step()
    return { chain, client, index, writer, grow, commits }
  }

  const expectEqual = async (world: World): Promise<void> =>
    expect(await contentOf(world.index.queries)).toEqual(await contentAnew(world))

  it('revert in revert: a branch that is itself replaced, deeper, leaves no row behind', async () => {
    const world = await begin(8)
    const { chain, writer, grow } = world
    await chain.rewind(6)
    await grow(3)
    expect(await writer.step()).toMatchObject({ status: 'current', undone: 2, height: 8 })
    await chain.rewind(4)
    await grow(6)
    expect(await writer.step()).toMatchObject({ status: 'current', undone: 5, height: 9 })
    await expectEqual(world)
  })

  it('what was noted of an owner goes with the branch, and an earlier look of the day comes back', async () => {
    const { chain, writer, index } = await begin(4)
    const read = () => index.queries.selectFrom('owner_balance').selectAll().orderBy('day').execute()
    const day = (
      await index.queries.selectFrom('block').select('day').orderBy('height', 'desc').executeTakeFirst()
    )?.day
    const before = await read()
    expect(before).toEqual([{ token: 1, day, height: 3, amount: expect.any(BigInt) }])
    // Two looks at one height, and one on the same day.
    for (const seconds of [1, 33 * 86_400, 1]) {
      await chain.close([], seconds)
      await writer.step()
      await writer.step()
    }
    expect((await read()).map(({ height }) => height)).toEqual([5, 6])
    await undoAbove(index.queries, 3)
    expect(await read()).toEqual(before)
  })

  it('set, delete, set: an account that exists, never existed, and exists again', async () => {
    const world = await begin(3)
    const { chain, writer, grow, index } = world
    const [first] = peopleOf(chain)
    const late = peopleOf(chain).at(-1)
    if (first === undefined || late === undefined) throw new Error('there are people')
    const pay = () =>
      chain.close(
        [
          {
            ...{ publisher: first, tokenId: chain.token.id },
            transactions: [transfer({ from: first, to: late, amount: 10n ** 11n, tokenId: chain.token.id })],
          },
        ],
        15,
      )
    const held = async () =>
      (await index.queries.selectFrom('holding').select('amount').execute()).map(({ amount }) => amount)
    const without = await held()
    await pay()
    await writer.step()
    const withPayment = await held()
    await chain.rewind(3)
    await grow(1)
    await writer.step()
    await chain.rewind(3)
    await pay()
    await grow(1)
    await writer.step()
    expect(withPayment).not.toEqual(without)
    await expectEqual(world)
  })

  it('two reorganisations within a second: the index goes from the first branch to the third', async () => {
    const world = await begin(6)
    const { chain, writer, grow } = world
    await chain.rewind(4)
    await grow(2)
    await chain.rewind(3)
    await grow(4)
    expect(await writer.step()).toMatchObject({ status: 'current', undone: 3, height: 6 })
    await expectEqual(world)
  })

  it('restart while undoing: a transaction that is cut off leaves the branch before it', async () => {
    const world = await begin(6)
    const { chain, client, index, writer, grow } = world
    const before = await contentOf(index.queries)
    await chain.rewind(3)
    await grow(4)
    // The other branch fails after the undo and before the end of the transaction, as when the process ends there.
    await sql`alter table block add constraint cut check (height < 5) not valid`.execute(index.queries)
    await expect(writer.step()).rejects.toThrow('cut')
    expect(await contentOf(index.queries)).toEqual(before)
    await sql`alter table block drop constraint cut`.execute(index.queries)
    await writer[Symbol.asyncDispose]()
    const next = opened(await openWriter({ index, client, tokenIds: [chain.token.id] }))
    expect(await next.step()).toMatchObject({ status: 'current', undone: 3, height: 6 })
    await expectEqual(world)
  })

  it('a branch that does not reach the height of the index changes nothing', async () => {
    const world = await begin(6)
    const { chain, index, writer, grow } = world
    const before = await contentOf(index.queries)
    await chain.rewind(3)
    await grow(1)
    expect(await writer.step()).toMatchObject({ status: 'behind', height: 5 })
    expect(await contentOf(index.queries)).toEqual(before)
    await grow(2)
    expect(await writer.step()).toMatchObject({ status: 'current', undone: 3 })
    await expectEqual(world)
  })

  it('a branch that is much longer is taken over up to the height of the index, and walked above', async () => {
    const world = await begin(6)
    const { chain, writer, grow, commits } = world
    await chain.rewind(3)
    await grow(12)
    commits.length = 0
    expect(await writer.step()).toMatchObject({ status: 'current', undone: 3, height: 14 })
    expect(commits).toEqual([5, 14])
    await expectEqual(world)
  })

  it('a fork deeper than the undo asks for a rebuild and changes nothing', async () => {
    const world = await begin(6)
    const { chain, index, writer, grow } = world
    await index.queries.updateTable('cursor').set({ undo_from: 5 }).execute()
    const before = await contentOf(index.queries)
    await chain.rewind(3)
    await grow(4)
    const progress = await writer.step()
    expect(progress.status).toBe('deep fork')
    expect(progress.note).toContain('hailstone-indexer rebuild')
    expect(await contentOf(index.queries)).toEqual(before)
  })
})

it('C-3: a token whose creation a reorganisation moves to another block is followed', async () => {
  await using chain = await openTestChain('young')
  const [owner, other] = peopleOf(chain)
  if (owner === undefined || other === undefined) throw new Error('there are people')
  const { native } = chain.genesis.tokens
  const units = (value: bigint): Amount => value as Amount
  const token = {
    ...{ symbol: 'YOUNG', decimals: 2, caption: 'young', isReissuable: false, totalSupply: units(5000n) },
    ...{ feeType: 0 as const, feeValue: units(0n), feeMinimum: units(0n) },
    mining: {
      ...{ maxSupply: units(10n ** 9n), blockReward: units(100n), minimumStake: units(10n) },
      ...{ referrerStake: units(20n), referralShareBps: 1000 },
    },
  } as const
  const creation = transfer({
    ...{ from: owner, to: chain.genesis.accounts.genesis.address, tokenId: native.id },
    ...{ amount: 1001n * 10n ** 10n, data: encodeContractOrder({ type: 'create_token', token }) },
  })
  const tokenId = transactionHash(creation) as string as TokenId
  const close = async (of: TokenId, transaction?: Transaction): Promise<void> => {
    const transactions = [transaction ?? transfer({ from: owner, to: other, amount: 100n, tokenId: of })]
    await chain.close([{ publisher: owner, tokenId: of, transactions }], 15)
  }
  await close(native.id)
  await close(native.id)
  await close(native.id, creation)
  await close(tokenId)
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [tokenId] })
  const check = () => checkIndex({ index, client, catchUp: writer.step })
  expect(await check()).toMatchObject({ height: 3, rewards: 2, differences: [] })
  await chain.rewind(1)
  await close(native.id, creation)
  for (let left = 3; left > 0; left--) await close(tokenId)
  expect(await writer.step()).toMatchObject({ status: 'current', height: 4, undone: 3 })
  expect(await check()).toMatchObject({ height: 4, rewards: 6, differences: [] })
})

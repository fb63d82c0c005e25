import { type Client, createClient, type Transport } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { BlockFacts } from '../src/facts.ts'
import { type Index, openIndex } from '../src/open-index.ts'
import { readBlocks } from '../src/read-blocks.ts'
import { readHolders } from '../src/read-holders.ts'
import { openWriter } from '../src/run-indexer.ts'
import { addressNamed, closeRandom, peopleOf } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain, transfer } from './test-chain.ts'

const random = randomOf(5)

/** A chain of some blocks with a token of its origin, and a client that does something before each reading of holders. */
async function openGrowing(onHolders: (chain: TestChain, readings: number) => Promise<void>) {
  const chain = await openTestChain('opening')
  for (let left = 5; left > 0; left--) await closeRandom(chain, random)
  const honest: Client = createClient({ apiUrl: chain.apiUrl })
  let readings = 0
  const transport: Transport = {
    async request(request) {
      if (request.path === '/top_accounts' && /page=0\b/.test(request.query ?? ''))
        await onHolders(chain, ++readings)
      return honest.transport.request(request)
    },
  }
  return { chain, honest, client: createClient({ apiUrl: chain.apiUrl, transport }) }
}

it('an opening is not learned from a chain that grows during every reading of a page of holders', async () => {
  const { chain, client } = await openGrowing(closeEven)
  await using _ = chain
  await using index = await openIndex()
  await expect(openWriter({ index, client, tokenIds: [chain.token.id] })).rejects.toMatchObject({
    code: 'REQUEST_FAILED',
    facts: { reason: expect.stringContaining('the chain moved during each of 20 readings') },
  })
})

it('an opening is that of the branch whose holders were read, after a reorganisation of the same height', async () => {
  const { chain, honest, client } = await openGrowing(async (changing, readings) => {
    if (readings !== 1) return
    await changing.rewind(changing.blocks.length - 2)
    for (const _ of [1, 2]) await closeRandom(changing, random)
  })
  await using _ = chain
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  await writer.step()
  await expectHeld(index, honest, chain)
})

async function expectHeld(index: Index, honest: Client, chain: TestChain): Promise<void> {
  const { rows } = await sql<{ address: string; amount: string }>`
    select address, amount::text as amount from holding join account on account.id = holding.account
    where amount > 0`.execute(index.queries)
  const holders = await readHolders(honest, { tokenId: chain.token.id })
  const held = [...holders]
    .filter(([, amount]) => amount > 0n)
    .map(([address, amount]) => [address, String(amount)])
  expect(new Map(rows.map(({ address, amount }) => [address, amount]))).toEqual(
    new Map(held as [string, string][]),
  )
}

it('an opening is learned from a chain that grows, and goes over to another branch, between all pages', async () => {
  const chain = await openTestChain('moving opening')
  await using _ = chain
  const holders = ['a', 'b', 'c'].flatMap((letter) =>
    Array.from({ length: 20 }, (_, at) => addressNamed(`${letter} ${at}`)),
  )
  const [rich] = peopleOf(chain)
  if (rich === undefined) throw new Error('there are people')
  const tokenId = chain.token.id
  const pay = (to: Address, amount: bigint) => transfer({ from: rich, to, amount, tokenId })
  await chain.close(
    [{ publisher: rich, tokenId, transactions: holders.map((to, at) => pay(to, 10n ** 10n + BigInt(at))) }],
    15,
  )
  const honest: Client = createClient({ apiUrl: chain.apiUrl })
  let pages = 0
  const transport: Transport = {
    async request(request) {
      if (request.path !== '/top_accounts') return await honest.transport.request(request)
      const answer = await honest.transport.request(request)
      // Every second time, so that each page can be read at one block.
      if (++pages % 2 === 0 && pages < 14) {
        if (pages === 6) await chain.rewind(chain.blocks.length - 1)
        const to = random.pick(holders)
        await chain.close([{ publisher: rich, tokenId, transactions: [pay(to, 10n ** 12n)] }], 15)
      }
      return answer
    },
  }
  await using client = createClient({ apiUrl: chain.apiUrl, transport })
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [tokenId] })
  expect(pages).toBeGreaterThan(12)
  await writer.step()
  await expectHeld(index, honest, chain)
})

/** A chain of so many blocks, each with one microblock of its token. */
async function openEven(blocks: number): Promise<TestChain> {
  const chain = await openTestChain('even')
  for (let left = blocks; left > 0; left--) await closeEven(chain)
  return chain
}

async function closeEven(chain: TestChain): Promise<void> {
  const [from, to] = peopleOf(chain)
  if (from === undefined || to === undefined) throw new Error('there are people')
  const tokenId = chain.token.id
  const payment = transfer({ from, to, amount: 1000n, tokenId })
  await chain.close([{ publisher: from, tokenId, transactions: [payment] }], 15)
}

it('an opening whose chain goes over to another branch is learned without a second walk from block 0', async () => {
  await using chain = await openEven(25)
  await using honest = createClient({ apiUrl: chain.apiUrl })
  let [readings, microblocks] = [0, 0]
  const transport: Transport = {
    async request(request) {
      if (request.path === '/mblock') microblocks++
      if (request.path === '/top_accounts' && ++readings === 1) {
        microblocks = 0
        await chain.rewind(23)
        for (const _ of [1, 2, 3]) await closeEven(chain)
      }
      return await honest.transport.request(request)
    },
  }
  await using client = createClient({ apiUrl: chain.apiUrl, transport })
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  expect(microblocks).toBe(3)
  await writer.step()
  await expectHeld(index, honest, chain)
})

it('a walk goes on behind the last block that it yielded when an answer fails, and leaves none out', async () => {
  await using chain = await openEven(30)
  await using honest = createClient({ apiUrl: chain.apiUrl })
  const tokens = new Map([[chain.token.id, { id: 1 } as never]])
  const hashes: string[] = []
  for await (const { microblocks } of readBlocks(honest, { fromHeight: 0, toHeight: 29, tokens }))
    hashes.push(String(microblocks[0]?.hash))
  // Each fails once, and no walk has one of them in its first block, whatever answer comes first.
  const failing = new Set([
    '/macroblock_by_height?height=7',
    `/eindex_by_hash?hash=${hashes[14]}`,
    '/macroblock_by_height?height=25',
  ])
  const transport: Transport = {
    async request(request) {
      const answer = await honest.transport.request(request)
      return failing.delete(`${request.path}?${request.query}`) ? { ...answer, status: 502 } : answer
    },
  }
  await using client = createClient({ apiUrl: chain.apiUrl, transport, retry: { maxAttempts: 1 } })
  const heights: number[] = []
  for await (const facts of readBlocks(client, { fromHeight: 0, toHeight: 29, tokens })) {
    expect(facts.microblocks[0]?.records.length).toBeGreaterThan(0)
    heights.push(facts.height)
  }
  expect(heights).toEqual(Array.from({ length: 30 }, (_, height) => height))
  expect(failing.size).toBe(0)
})

it('a walk believes no single answer that lists no microblock, which no root proves', async () => {
  await using chain = await openEven(4)
  await using honest = createClient({ apiUrl: chain.apiUrl })
  let isCut = false
  const transport: Transport = {
    async request(request) {
      const answer = await honest.transport.request(request)
      if (isCut || request.path !== '/macroblock_by_height' || !/height=1\b/.test(request.query ?? ''))
        return answer
      isCut = true
      return { ...answer, text: answer.text.replace(/"mblocks":\[\{[^}]*\}/, '"mblocks":[') }
    },
  }
  await using client = createClient({ apiUrl: chain.apiUrl, transport })
  const counts: number[] = []
  for await (const facts of readBlocks(client, { fromHeight: 0, toHeight: 3, tokens: new Map() }))
    counts.push(facts.microblockCount)
  expect([isCut, counts]).toEqual([true, [1, 1, 1, 1]])
})

it('a walk takes no time of tomorrow that the API shows for a while, however long', async () => {
  await using chain = await openEven(4)
  await using honest = createClient({ apiUrl: chain.apiUrl })
  let lies = 0
  const transport: Transport = {
    async request(request) {
      const answer = await honest.transport.request(request)
      if (request.path !== '/macroblock_by_height' || lies-- <= 0) return answer
      const tomorrow = Math.floor(Date.now() / 1000) + 86_400
      return { ...answer, text: answer.text.replace(/"time":"?\d+"?/, `"time":${tomorrow}`) }
    },
  }
  const clock = { ...honest.clock, sleep: async () => undefined }
  await using client = createClient({ apiUrl: chain.apiUrl, transport, clock, retry: { maxAttempts: 1 } })
  const walk = { fromHeight: 0, toHeight: 3, tokens: new Map() }
  const facts: BlockFacts[] = []
  for await (const block of readBlocks(honest, walk)) facts.push(block)
  const [first, ...later] = facts
  if (first === undefined) throw new Error('The chain has no block')
  const after = { hash: first.hash, nextHash: first.nextHash, time: BigInt(first.time) }
  for (let count = 1; count < 10; count++) {
    lies = count
    const read: BlockFacts[] = []
    try {
      for await (const block of readBlocks(client, { ...walk, fromHeight: 1, after })) read.push(block)
    } catch (error) {
      expect(error).toMatchObject({ code: 'CHAIN_INCONSISTENT' })
    }
    expect(read).toEqual(later.slice(0, read.length))
  }
})

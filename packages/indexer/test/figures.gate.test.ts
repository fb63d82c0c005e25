import { createClient } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../local-network/test/postgres-server.ts'
import { type Index, openIndex } from '../src/open-index.ts'
import { type IndexWriter, openWriter } from '../src/run-indexer.ts'
import { bruteForce, type ExpectedFigures } from './brute-force.ts'
import { contentOf, figuresOf } from './figures-of-index.ts'
import { addressNamed, closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain, transfer } from './test-chain.ts'

const HISTORIES = Number(process.env.HAILSTONE_HISTORIES ?? 2)
/** Number of the first history, so that many of them can be run in parts. */
const FIRST = Number(process.env.HAILSTONE_FIRST_HISTORY ?? 0)
const BLOCKS = 24

const openings: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of openings.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

function opened<T extends AsyncDisposable>(one: T): T {
  openings.push(one)
  return one
}

/** Balances before block 0, of the ledger's own start. */
const openingOf = ({ genesis, token }: TestChain) =>
  Object.fromEntries(
    genesis.content.balances
      .filter(({ tokenId }) => tokenId === token.id)
      .map(({ account, amount }) => [account, amount]),
  )

const sorted = (figures: ExpectedFigures): ExpectedFigures => ({
  ...figures,
  stakes: [...figures.stakes].sort(),
  rewards: [...figures.rewards].sort(),
  transfers: [...figures.transfers].sort(),
})

const server: PostgresServer | undefined = postgresMissing === null ? await startPostgres() : undefined
afterAll(() => server?.stop())

/** Engines that have an index of each history. */
const engines = server === undefined ? `embedded alone, since ${postgresMissing}` : 'embedded and PostgreSQL'

const openEmpty = async (isEmbedded: boolean): Promise<Index> =>
  opened(
    await openIndex(isEmbedded || server === undefined ? {} : { database: await server.createDatabase() }),
  )

describe(`C-1: the figures of an index (${engines})`, () => {
  it.each(Array.from({ length: HISTORIES }, (_, at) => FIRST + at))(
    'are those of a plain count after every block, reorganisations included (history %i)',
    async (seed) => {
      const random = randomOf(seed)
      const chain = opened(await openTestChain(`history ${seed}`))
      for (let left = 3; left > 0; left--) await closeRandom(chain, random)
      const client = opened(createClient({ apiUrl: chain.apiUrl }))
      const tokenIds = [chain.token.id]
      const indexes = [await openEmpty(true), ...(server === undefined ? [] : [await openEmpty(false)])]
      const writers: IndexWriter[] = []
      for (const index of indexes) writers.push(opened(await openWriter({ index, client, tokenIds })))
      // The first change can be a reorganisation, which needs something to undo.
      for (const writer of writers) await writer.step()
      for (let step = 0; step < BLOCKS; step++) {
        const depth = random.below(5) === 0 ? 1 + random.below(Math.min(6, chain.blocks.length - 1)) : 0
        if (depth > 0) await chain.rewind(chain.blocks.length - depth)
        for (let left = depth; left > 0; left--) await closeRandom(chain, random)
        await closeRandom(chain, random)
        const expected = sorted(bruteForce(chain, openingOf(chain)))
        const reached = { status: 'current', height: chain.blocks.length - 1, undone: depth }
        for (const writer of writers) expect(await writer.step()).toMatchObject(reached)
        for (const { queries } of indexes) {
          expect(sorted(await figuresOf(queries))).toEqual(expected)
          expect(await queries.selectFrom('unexplained').selectAll().execute()).toEqual([])
        }
      }
      const other = await openEmpty(false)
      await using anew = await openWriter({ index: other, client, tokenIds })
      await anew.step()
      const content = await contentOf(other.queries)
      for (const { queries } of indexes) expect(await contentOf(queries)).toEqual(content)
    },
  )

  it('know who is below the minimum stake after each block, of the branch that is there', async () => {
    const chain = opened(await openTestChain('stakes'))
    const [native, tokenId] = [chain.genesis.tokens.native.id, chain.token.id]
    const payer = chain.genesis.accounts.faucet.address
    const [one, other] = chain.genesis.accounts.developers.map(({ address }) => address) as [Address, Address]
    const minimum = chain.token.mining?.minimumStake ?? 0n
    const all = openingOf(chain)[one] ?? 0n
    const pay = (...payments: readonly (readonly [from: Address, to: Address, amount: bigint])[]) =>
      chain.close(
        payments.map(([from, to, amount]) => ({
          ...{ publisher: payer, tokenId: native },
          transactions: [transfer({ from, to, amount, tokenId })],
        })),
        15,
      )
    const client = opened(createClient({ apiUrl: chain.apiUrl }))
    const indexes = [await openEmpty(true), ...(server === undefined ? [] : [await openEmpty(false)])]
    const writers: IndexWriter[] = []
    for (const index of indexes)
      writers.push(opened(await openWriter({ index, client, tokenIds: [tokenId] })))
    const expectStakes = async (stakes: readonly string[]) => {
      expect([...bruteForce(chain, openingOf(chain)).stakes].sort()).toEqual(stakes)
      for (const writer of writers) await writer.step()
      for (const { queries } of indexes) expect([...(await figuresOf(queries)).stakes].sort()).toEqual(stakes)
    }
    await pay([one, other, all])
    await pay([other, one, 10n * minimum])
    await expectStakes([`0 ${one} true`, `1 ${one} false`])
    await pay([one, other, minimum / 2n])
    await expectStakes([`0 ${one} true`, `1 ${one} false`])
    await chain.rewind(1)
    await pay([other, one, minimum / 2n])
    await pay([other, one, minimum])
    await pay([other, addressNamed('new'), 2n * minimum])
    await expectStakes([`0 ${one} true`, `2 ${one} false`, `3 ${addressNamed('new')} false`])
  })
})

import { createClient } from '@hailstone/client'
import { afterEach, expect, it } from 'vitest'
import { describeEngines } from '../../local-network/test/engines.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { bruteForce, type ExpectedFigures } from './brute-force.ts'
import { contentOf, figuresOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

const HISTORIES = Number(process.env.HAILSTONE_HISTORIES ?? 2)
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
  rewards: [...figures.rewards].sort(),
  transfers: [...figures.transfers].sort(),
})

describeEngines('C-1: the figures of an index', (engine) => {
  it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
    'are those of a plain count after every block, reorganisations included (history %i)',
    async (seed) => {
      const random = randomOf(seed)
      const chain = opened(await openTestChain(`history ${seed}`))
      for (let left = 3; left > 0; left--) await closeRandom(chain, random)
      const index = opened(await openIndex(await engine.newPlace()))
      const client = opened(createClient({ apiUrl: chain.apiUrl }))
      const writer = opened(await openWriter({ index, client, tokenIds: [chain.token.id] }))
      // The first change can be a reorganisation, which needs something to undo.
      await writer.step()
      for (let step = 0; step < BLOCKS; step++) {
        const depth = random.below(5) === 0 ? 1 + random.below(Math.min(6, chain.blocks.length - 1)) : 0
        if (depth > 0) await chain.rewind(chain.blocks.length - depth)
        for (let left = depth; left > 0; left--) await closeRandom(chain, random)
        await closeRandom(chain, random)
        const progress = await writer.step()
        expect(progress).toMatchObject({ status: 'current', height: chain.blocks.length - 1, undone: depth })
        expect(sorted(await figuresOf(index.queries))).toEqual(sorted(bruteForce(chain, openingOf(chain))))
        expect(await index.queries.selectFrom('unexplained').selectAll().execute()).toEqual([])
      }
      const other = opened(await openIndex())
      await using anew = await openWriter({ index: other, client, tokenIds: [chain.token.id] })
      await anew.step()
      expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
    },
  )
})

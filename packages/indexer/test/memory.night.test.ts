import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TokenId } from '@hailstone/protocol'
import { beforeAll, expect, it } from 'vitest'
import { buildPackages } from '../../client/test/support/build-packages.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import { peopleOf } from './population.ts'
import { openTestChain, transfer } from './test-chain.ts'

const BLOCKS = Number(process.env.HAILSTONE_INDEXED_BLOCKS ?? 500)
const MICROBLOCKS = 8
const LARGEST_MB = 200
/** Growth of the live heap from the first index to the last; code that is compiled later is in it. */
const GROWTH_MB = 2

beforeAll(() => buildPackages('runtime', 'protocol', 'database', 'client', 'indexer'))

type Measured = {
  readonly heights: readonly number[]
  readonly heaps: readonly number[]
  readonly largest: number
}

describePostgres('C-9: memory of an index on PostgreSQL', (server) => {
  it.runIf(existsSync('/proc/self/status'))(
    'stays below 200 MB while every microblock is own, and does not grow from one index to the next',
    async () => {
      await using chain = await openTestChain('memory')
      const people = peopleOf(chain)
      const tokenId: TokenId = chain.token.id
      const personAt = (number: number) => people[number % people.length] ?? chain.token.owner
      for (let block = 0; block < BLOCKS; block++)
        await chain.close(
          Array.from({ length: MICROBLOCKS }, (_, at) => {
            const payment = { from: personAt(block), to: personAt(block + at + 1), amount: 1000n, tokenId }
            return { publisher: personAt(at + block), tokenId, transactions: [transfer(payment)] }
          }),
          15,
        )
      const databases = await Promise.all([1, 2, 3].map(() => server().createDatabase()))
      const child = fileURLToPath(new URL('./memory-child.mjs', import.meta.url))
      const parameters = JSON.stringify({ apiUrl: chain.apiUrl, tokenId, databases })
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child, parameters])
      const { heights, heaps, largest } = JSON.parse(stdout) as Measured
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(BLOCKS - 1)
      expect(largest).toBeLessThan(LARGEST_MB)
      expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(GROWTH_MB)
    },
  )
})

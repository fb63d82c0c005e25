import { createClient } from '@hailstone/client'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEngines } from '../../local-network/test/engines.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { contentOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain } from './test-chain.ts'

describeEngines('an index of a version before', (engine) => {
  it('learns which miners are below the minimum stake, and undoes nothing that is older', async () => {
    const random = randomOf(12)
    await using chain = await openTestChain('migrations')
    for (let left = 12; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const tokenIds = [chain.token.id]
    const place = await engine.newPlace()
    let before: unknown
    {
      await using index = await openIndex(place)
      await using writer = await openWriter({ index, client, tokenIds })
      await writer.step()
      before = await contentOf(index.queries)
      const below = await index.queries.selectFrom('miner').select('is_below').distinct().execute()
      expect(below.map(({ is_below }) => is_below).sort()).toEqual([false, true])
      await sql`alter table miner drop column is_below`.execute(index.queries)
      await sql`delete from migration where version = 2`.execute(index.queries)
    }
    await using index = await openIndex(place)
    expect(await contentOf(index.queries)).toEqual(before)
    await using writer = await openWriter({ index, client, tokenIds })
    await chain.rewind(11)
    for (let left = 2; left > 0; left--) await closeRandom(chain, random)
    expect(await writer.step()).toMatchObject({ status: 'deep fork' })
    expect(await contentOf(index.queries)).toEqual(before)
  })
})

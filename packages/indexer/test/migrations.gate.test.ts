import { createClient } from '@hailstone/client'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeBothEngines } from '../../local-network/test/engines.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { type Content, contentOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain } from './test-chain.ts'

describeBothEngines('an index of a version before', (engine) => {
  it('learns which miners are below the minimum stake, and from where changes are kept, and undoes nothing older', async () => {
    const random = randomOf(12)
    await using chain = await openTestChain('migrations')
    for (let left = 12; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const tokenIds = [chain.token.id]
    const place = await engine.newPlace()
    let before: Content = {}
    {
      await using index = await openIndex(place)
      await using writer = await openWriter({ index, client, tokenIds })
      await writer.step()
      const content = await contentOf(index.queries)
      before = { ...content, stake_change: [] }
      const below = await index.queries.selectFrom('miner').select('is_below').distinct().execute()
      expect(below.map(({ is_below }) => is_below).sort()).toEqual([false, true])
      await sql`alter table miner drop column is_below`.execute(index.queries)
      await sql`drop table stake_change`.execute(index.queries)
      await sql`drop index cohort_week`.execute(index.queries)
      await sql`alter table network drop column stake_changes_from`.execute(index.queries)
      await sql`delete from migration where version > 1`.execute(index.queries)
    }
    await using index = await openIndex(place)
    expect(await contentOf(index.queries)).toEqual(before)
    const network = await index.queries.selectFrom('network').selectAll().executeTakeFirstOrThrow()
    expect(network.stake_changes_from).toBe(chain.blocks.length)
    await using writer = await openWriter({ index, client, tokenIds })
    await chain.rewind(11)
    for (let left = 2; left > 0; left--) await closeRandom(chain, random)
    expect(await writer.step()).toMatchObject({ status: 'deep fork' })
    expect(await contentOf(index.queries)).toEqual(before)
  })
})

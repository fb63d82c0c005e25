import { createClient } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { closeRandom } from '../../../packages/indexer/test/population.ts'
import { randomOf } from '../../../packages/indexer/test/random.ts'
import { openTestChain } from '../../../packages/indexer/test/test-chain.ts'
import { overview } from '../src/figures/overview.ts'
import { readSnapshot } from '../src/figures/read-snapshot.ts'
import { retention } from '../src/figures/retention.ts'
import { countMicroblocks } from '../src/figures/stake-times.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { openFollower } from '../src/open-follower.ts'

const BLOCKS = 90
/** Days that the overview and weeks that the retention show. */
const [DAYS, WEEKS] = [90, 52]

it('figures that read the newest rows alone are those of all rows, after more than a year', async () => {
  const random = randomOf(7)
  await using chain = await openTestChain('kept sums')
  for (let left = BLOCKS; left > 0; left--) await closeRandom(chain, random)
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  await openLabelTables(index)
  await using follower = await openFollower({ index, client, tokenId: chain.token.id })
  await follower.catchUp()
  const { queries } = index
  const read = <T>(compute: Parameters<typeof readSnapshot<T>>[1]) =>
    readSnapshot({ follower, nowMs: Date.now() }, compute).then(({ data }) => data)

  const { rows: active } = await sql<{ day: string; week: number; month: number }>`select day::text as day,
    active_7_days::int as week, active_30_days::int as month from day_v1 order by day`.execute(queries)
  const shown = (await read(overview)).rows.map(([day, , week, month]) => ({ day, week, month }))
  expect(shown).toHaveLength(DAYS)
  const last = new Map<unknown, (typeof active)[number]>(active.map((one) => [one.day, one]))
  const known = shown.filter(({ day }) => last.has(day))
  expect(known.length).toBeGreaterThan(5)
  expect(known).toStrictEqual(known.map(({ day }) => last.get(day)))

  const { rows: cohorts } = await sql<{ week: string; miners: number }>`select week::text as week, miners
    from cohort_v1 where age = 0 order by week`.execute(queries)
  const weeks = (await read(retention)).rows.map(([week, miners]) => ({ week, miners }))
  const tip = chain.blocks.at(-1)?.macroblock.keyBlock.time ?? 0
  const first = new Date((tip - WEEKS * 7 * 86_400) * 1000).toISOString().slice(0, 10)
  expect(cohorts.some(({ week }) => week < first)).toBe(true)
  expect(weeks).toStrictEqual(cohorts.filter(({ week }) => week > first))

  const { rows: own } = await sql<{ height: number }>`select height from microblock`.execute(queries)
  const spans = Array.from({ length: 40 }, () => {
    const after = random.below(BLOCKS + 1) - 1
    return { after, to: after + random.below(BLOCKS - after) }
  })
  for (const span of spans)
    expect([span, await read((context) => countMicroblocks(context, [span]))]).toStrictEqual([
      span,
      own.filter(({ height }) => height > span.after && height <= span.to).length,
    ])
  const inAll = spans.reduce(
    (sum, { after, to }) => sum + own.filter(({ height }) => height > after && height <= to).length,
    0,
  )
  expect(await read((context) => countMicroblocks(context, spans))).toBe(inAll)
})

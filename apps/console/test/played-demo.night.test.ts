import { createClient } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import { parseTokenId } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { healthValues } from '../src/figures/health.ts'
import { hourValues } from '../src/figures/hours.ts'
import { overview } from '../src/figures/overview.ts'
import { readSnapshot } from '../src/figures/read-snapshot.ts'
import { openFollower } from '../src/open-follower.ts'
import { playNetwork } from '../src/play-network.ts'

it('46, change 10: the demo opens on a token that is mined now, hour by hour, and goes on', async () => {
  await using played = await playNetwork({ days: 8, say: () => {} })
  await using index = await openIndex()
  await using client = createClient({ apiUrl: played.apiUrl })
  await using follower = await openFollower({ index, client, tokenId: parseTokenId(played.tokenId) })
  const catchUp = async (height: number): Promise<void> => {
    while ((follower.status().height ?? -1) < height || follower.status().state !== 'following')
      await follower.catchUp()
  }
  await catchUp((await client.getHeight({})) - 1)
  const { data, tip } = await readSnapshot({ follower, nowMs: Date.now() }, async (context) => ({
    health: await healthValues(context),
    hours: await hourValues(context),
    days: await overview(context),
  }))
  expect(data.health.minutesNotMined).toBeLessThan(10)
  // The first whole hours are those of the first day, on which people arrive.
  expect(data.hours.length).toBe(48)
  expect(data.hours.filter(({ active }) => active === 0)).toEqual([])
  const miners = data.days.columns.findIndex(({ key }) => key === 'active')
  expect(data.days.rows.at(-1)?.[miners]).toBeGreaterThan(0)

  const before = tip?.height ?? 0
  await catchUp(before + 2)
  const later = await readSnapshot({ follower, nowMs: Date.now() }, healthValues)
  expect(later.tip?.height).toBeGreaterThan(before)
  expect(later.data.minutesNotMined).toBe(0)
})

import type { Hash } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { watchReplays } from './watch-replays.ts'

const hash = (name: string): Hash => name.padStart(64, '0') as Hash

test('finds out in few queries which transactions were calculated before, and survives a store that is away', async () => {
  const queries: number[] = []
  const marked: Hash[] = []
  let isAway = false
  const watch = watchReplays({
    ledger: { unasked: (hashes) => hashes.filter((one) => one !== hash('known')) },
    store: {
      async calculatedBelow(_, hashes) {
        queries.push(hashes.length)
        if (isAway) throw new Error('away')
        return hashes.filter((one) => one.endsWith('7'))
      },
    },
    height: () => 9,
    markReplayed: (hashes) => marked.push(...hashes),
  })
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
  watch(hash('known'))
  for (let count = 0; count < 10; count++) watch(hash(String(count)))
  await expect.poll(() => marked).toEqual([hash('7')])
  expect(queries).toEqual([10])
  isAway = true
  watch(hash('17'))
  await expect.poll(() => queries).toEqual([10, 1])
  await settled()
  isAway = false
  watch(hash('27'))
  await expect.poll(() => marked).toEqual([hash('7'), hash('27')])
})

import { expect, it } from 'vitest'
import type { PendingPool } from '../http/api-parts.ts'
import { createAutomine } from './automine.ts'

/** A pool that takes everything, and the macroblocks that are closed after each transaction. */
function watched(onMined: (mined: number) => unknown) {
  let mined = 0
  const automine = createAutomine(async () => {
    await onMined(++mined)
  })
  const pool = { size: 0, add: async () => 'added' } as unknown as PendingPool
  const { add } = automine.watched(pool)
  const post = () => add(...([] as unknown as Parameters<PendingPool['add']>))
  return { post, mined: () => mined }
}

it('closes six macroblocks after a transaction', async () => {
  const { post, mined } = watched(() => undefined)
  await post()
  await expect.poll(mined).toBe(6)
})

it('closes six whole ones after a transaction that came while one was being closed', async () => {
  const { post, mined } = watched((count) => count === 3 && post())
  await post()
  await expect.poll(mined).toBe(9)
})

it.each([0, 1, 2, 3, 4, 5])(
  'misses none that comes %i turns after the last one was closed',
  async (turns) => {
    const { post, mined } = watched((count) => {
      if (count === 6) void afterTurns(turns, post)
    })
    await post()
    await expect.poll(mined).toBe(12)
  },
)

/** Microtasks after which the answer of a pool may come. */
async function afterTurns(turns: number, then: () => unknown): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve()
  await then()
}

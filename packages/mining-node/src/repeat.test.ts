import { expect, it } from 'vitest'
import { steppedClock } from '../test/stepped-clock.ts'
import { onDemand } from './repeat.ts'

/** Pauses in ms before the second run and each one after it, of a task whose runs fail. */
async function pausesOf(hasProgressed: (run: number) => boolean, runs: number): Promise<readonly number[]> {
  const clock = steppedClock()
  const ranAt: number[] = []
  const { trigger, stop } = onDemand({
    client: { clock, randomness: () => 1 },
    task: async (_, progressed) => {
      if (hasProgressed(ranAt.push(clock.monotonicMs()))) progressed()
      throw new Error('it fails')
    },
    onError: () => undefined,
  })
  trigger()
  await clock.advance(15_000 * runs)
  await stop()
  return ranAt.slice(1, runs).map((at, run) => at - (ranAt[run] ?? 0))
}

it('pauses grow from the interval while nothing was done', async () => {
  expect(await pausesOf(() => false, 5)).toEqual([4_000, 8_000, 15_000, 15_000])
})

it('pauses grow from a quarter of a second after a part of the work', async () => {
  const expected = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]
  expect(await pausesOf((run) => run === 1, 9)).toEqual(expected)
  expect(await pausesOf((run) => run % 2 === 1, 7)).toEqual([250, 500, 250, 500, 250, 500])
})

import { expect, test } from 'vitest'
import { growthOf, measureHistory } from '../bench/history-queries.ts'
import { describeEngines } from './engines.ts'

/** Reading every row of the longer chain would show as 40 or more. The long run is `npm run bench:history`. */
const SIZES = [1000, 40_000]
const SUSPICIOUS = 5
/** Other suites may have the processor just when one question is asked; a missing index shows each time. */
const ATTEMPTS = 3

describeEngines('history queries', (engine) => {
  test('take as long on a long chain as on a short one', async () => {
    const suspicious: (readonly string[])[] = []
    while (suspicious.length < ATTEMPTS && suspicious.at(-1)?.length !== 0) {
      const places = [await engine.newPlace(), await engine.newPlace()]
      const measured = await measureHistory(places, { sizes: SIZES, rounds: 25 })
      const growth = Object.entries(growthOf(measured, 'bestMs'))
      expect(growth.length).toBeGreaterThan(10)
      suspicious.push(growth.filter(([, factor]) => factor > SUSPICIOUS).map(([name]) => name))
    }
    const [first = [], ...others] = suspicious
    expect(first.filter((name) => others.every((names) => names.includes(name)))).toEqual([])
  }, 360_000)
})

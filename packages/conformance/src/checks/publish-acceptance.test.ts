import { readFileSync } from 'node:fs'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { asObject, casesOf } from '../case.ts'
import { check } from './publish-acceptance.ts'

const path = new URL('../../vectors/publish_acceptance.json', import.meta.url)
const file = parseJson(readFileSync(path, 'utf8'))

test('is recognised and passes in every case', async () => {
  expect(check.recognises(file)).toBe(true)
  const outcomes = await check.run(file, { files: [] })
  expect(outcomes).toHaveLength(34)
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
})

test.each(['accepted', 'score_set_to_zero', 'connection_closed', 'handler_error'])(
  'fails in every case once %s is expected to be the contrary',
  async (member) => {
    const cases = casesOf(file).map((given) => {
      const expected = asObject(given.expect)
      return { ...given, expect: { ...expected, [member]: expected[member] !== true } }
    })
    const changed: JsonValue = { ...asObject(file), cases }
    const outcomes = await check.run(changed, { files: [] })
    expect(outcomes.filter(({ verdict }) => verdict !== 'failed')).toEqual([])
  },
)

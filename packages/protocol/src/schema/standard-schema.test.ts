import { expect, it } from 'vitest'
import { parseJson } from '../json.ts'
import { amount, count, list, text } from './leaves.ts'
import { record } from './record.ts'
import { toStandardSchema } from './standard-schema.ts'

const account = record({ name: ['n', text], height: count, amounts: list(amount) })
const schema = toStandardSchema(account)
const { validate } = schema['~standard']

it('is accepted by a library that takes Standard Schema', () => {
  expect({ of: { n: 'one', height: 7, amounts: [1, '2'] } }).toEqual({ of: expect.schemaMatching(schema) })
  expect({ of: { n: 'one', height: 'seven', amounts: [] } }).not.toEqual({
    of: expect.schemaMatching(schema),
  })
})

it('gives our names and bigints, from either reader of JSON', () => {
  const json = '{"n":"one","height":7,"amounts":[1,"9007199254740993"]}'
  const value = { name: 'one', height: 7, amounts: [1n, 9_007_199_254_740_993n] }
  expect(validate(JSON.parse(json))).toEqual({ value })
  expect(validate(parseJson(json))).toEqual({ value })
})

it('refuses an amount that a reader of JSON may have rounded', () => {
  const json = '{"n":"one","height":7,"amounts":[1,9007199254740993]}'
  expect(validate(JSON.parse(json))).toMatchObject({ issues: [{ path: ['amounts', '1'] }] })
  expect(validate(parseJson(json))).toMatchObject({ value: { amounts: [1n, 9_007_199_254_740_993n] } })
})

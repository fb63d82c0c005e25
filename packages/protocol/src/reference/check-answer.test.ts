import { describe, expect, test } from 'vitest'
import { createAnswerCheck } from './check-answer.ts'
import { openApiDocument } from './open-api.ts'
import { schemaProblem } from './schema-problem.ts'

const check = createAnswerCheck(openApiDocument({ serverUrl: '/api/v1' }))
const json = { method: 'GET', status: 200, contentType: 'application/json; charset=utf-8' }

test('passes answers that are described', () => {
  expect(check({ ...json, path: '/height', body: '{"height":7}' })).toBeNull()
  expect(check({ ...json, path: '/height', body: '{}' })).toBeNull()
  expect(check({ ...json, path: '/tx', body: '' })).toBeNull()
  expect(check({ ...json, path: '/roi', body: '[]' })).toBeNull()
  const refusal = { ...json, status: 404, body: '{"err":1,"message":"There is no block at height 9."}' }
  expect(check({ ...refusal, path: '/macroblock_by_height' })).toBeNull()
})

describe('names what is wrong', () => {
  test.each([
    ['a member of the wrong type', '/height', '{"height":"7"}', 'answer.height is string'],
    ['a number out of its range', '/height', '{"height":-1}', 'answer.height is below 0'],
    ['a fraction', '/height', '{"height":1.5}', 'answer.height is number'],
    ['a member that is not described', '/height', '{"heigth":7}', 'answer.heigth is not described'],
    ['a member that is absent', '/pending_size', '[{}]', 'answer[0].count is absent'],
    ['a flag that is a boolean', '/get_pos_list_count', '{"count":true}', 'answer.count is boolean'],
    ['a body that is empty', '/height', '', 'the body is empty'],
    ['a body that is no JSON', '/height', '<html>', 'the body is not JSON'],
  ])('%s', (_, path, body, problem) => {
    expect(check({ ...json, path, body })).toContain(problem)
  })

  test('a status, a content type, a path and a method that are not described', () => {
    const answer = { ...json, path: '/height', body: '{}' }
    expect(check({ ...answer, status: 404 })).toContain('status 404')
    expect(check({ ...answer, contentType: 'text/html' })).toContain('content type')
    expect(check({ ...answer, contentType: undefined })).toContain('content type')
    expect(check({ ...answer, path: '/heigth' })).toContain('not described')
    expect(check({ ...answer, method: 'POST' })).toContain('not described')
  })
})

test('units have exactly one of their forms', () => {
  const answer = (balance: string) => ({
    ...json,
    path: '/account_rewards',
    body: `{"balance":${balance},"id":"x"}`,
  })
  expect(check(answer('9007199254740991'))).toBeNull()
  expect(check(answer('"9007199254740992"'))).toBeNull()
  expect(check(answer('"5"'))).toContain('answer.balance has not exactly one of its forms')
  expect(check(answer('18446744073709551615'))).toContain('answer.balance')
})

test('a keyword it does not know is a mistake, not a pass', () => {
  expect(() => schemaProblem(1, { multipleOf: 2 })).toThrow(TypeError)
})

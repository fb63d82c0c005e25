import { expect, it } from 'vitest'
import { check } from './api-responses.ts'

const id = 'ab'.repeat(32)
const pool =
  `{"rank":1,"active":1,"pos_id":"${id}","owner":"02${id}","name":"x","fee":5,"stake":"9007199254740993",` +
  '"effective_stake":5.5,"stake_power":0.5,"effective_stake_power":0.5,"active_stake_power":0.1,' +
  '"active_stake_share":0.2,"roi":1.5,"uptime":99.5}'

const json = 'application/json; charset=utf-8'

const given = [
  ['a plain figure that is a number', '/ext/plain/total_supply', 'text/html; charset=utf-8', '123.5'],
  ['a plain figure that is a text', '/ext/plain/hashrate', json, '1.5 GH'],
  ['an absent native token', '/native_token', null, ''],
  ['shares with fractions', '/get_pos_list_page?page=0', json, `{"pos_contracts":[${pool}],"page_count":1}`],
  ['an answer that is never empty', '/height', null, ''],
] as const

it('reads figures in their forms, and no empty body where there is always an answer', async () => {
  const cases = given.map(([name, path, content_type, body]) => {
    return { name, method: 'GET', path: `/api/v1${path}`, status: 200n, content_type, body }
  })
  const outcomes = await check.run({ cases }, { files: [] })
  expect(outcomes.map(({ name, verdict }) => [name, verdict])).toEqual(
    given.map(([name], at) => [name, at < 4 ? 'passed' : 'failed']),
  )
})
